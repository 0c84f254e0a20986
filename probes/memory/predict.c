/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/memory/predict.h"

#include <math.h>
#include <string.h>

#include "measure/text/table.h"
#include "probes/memory/costs.h"
#include "runtime/host/text.h"

static const struct {
    const char *key, *label;
    enum cb_primitive_kind kind;
    double initial;
} predicted[CB_PREDICTED_COUNT] = {
    [CB_PREDICTED_BARRIER] = {"barrier", "barrier", CB_KIND_BARRIER, 0},
    [CB_PREDICTED_MUTEX] = {"mutex", "mutex", CB_KIND_MUTEX, 0},
    [CB_PREDICTED_SEMAPHORE_1] = {"semaphore_1", "semaphore, initial value 1", CB_KIND_SEMAPHORE,
                                  1},
    [CB_PREDICTED_SEMAPHORE_120] = {"semaphore_120", "semaphore, initial value 120",
                                    CB_KIND_SEMAPHORE, 120},
};

/* primitive: an index of cb_primitive_table. */
static double time_of(const struct cb_machine *m, enum cb_predicted what, int primitive,
                      double groups)
{
    return cb_costs[primitive].time(m, groups, predicted[what].initial);
}

static int fastest(const struct cb_machine *m, enum cb_predicted what, double groups)
{
    int best = -1;
    for (int i = 0; i < CB_PRIMITIVE_COUNT; i++)
        if (cb_primitive_table[i].kind == predicted[what].kind &&
            (best < 0 || time_of(m, what, i, groups) < time_of(m, what, best, groups)))
            best = i;
    return best;
}

struct cb_prediction cb_predict(const struct cb_machine *m, enum cb_predicted what, double groups)
{
    int best = fastest(m, what, groups);
    return (struct cb_prediction){cb_primitive_table[best].id, time_of(m, what, best, groups)};
}

double cb_predict_time(const struct cb_machine *m, enum cb_predicted what, const char *name,
                       double groups)
{
    const struct cb_primitive *p = cb_primitive_find(cb_kind_names[predicted[what].kind], name);
    return p ? time_of(m, what, (int)(p - cb_primitive_table), groups) : NAN;
}

/* ---- Told ------------------------------------------------------------------------------------ */

static void format_prediction(struct cb_prediction p, char cell[CB_CELL_BYTES])
{
    bool micro = p.time >= 999.5;
    snprintf(cell, CB_CELL_BYTES, "%s, %.3g %s", p.name, micro ? p.time / 1e3 : p.time,
             micro ? "µs" : "ns");
}

static void print_table(FILE *out, const struct cb_machine *m, const double groups[2])
{
    static const char *const contentions[] = {"low", "full"};
    struct cb_table t;
    if (cb_table_open(1 + CB_PREDICTED_COUNT, 3, 0, &t)) {
        strcpy(cb_table_cell(&t, 0, 0), "primitive");
        for (int k = 0; k < 2; k++) {
            snprintf(cb_table_cell(&t, 0, 1 + k), CB_CELL_BYTES, "%s contention (%.0f workgroup%s)",
                     contentions[k], groups[k], CB_PLURAL(groups[k]));
            for (int i = 0; i < CB_PREDICTED_COUNT; i++) {
                strcpy(cb_table_cell(&t, 1 + i, 0), predicted[i].label);
                format_prediction(cb_predict(m, (enum cb_predicted)i, groups[k]),
                                  cb_table_cell(&t, 1 + i, 1 + k));
            }
        }
        cb_table_print(out, &t);
    }
    cb_table_free(&t);
}

/* A line for each winner: why. */
static void print_reasons(FILE *out, const struct cb_machine *m, const double groups[2])
{
    bool wins[CB_PRIMITIVE_COUNT] = {false};
    for (int i = 0; i < 2 * CB_PREDICTED_COUNT; i++)
        wins[fastest(m, (enum cb_predicted)(i / 2), groups[i % 2])] = true;
    for (int i = 0; i < CB_PRIMITIVE_COUNT; i++)
        if (wins[i])
            fprintf(out, "- %s %s: %s\n", cb_kind_names[cb_primitive_table[i].kind],
                    cb_primitive_table[i].id, cb_costs[i].why);
}

void cb_prediction_print(FILE *out, const struct cb_machine *m)
{
    const double groups[] = {m->groups_low, m->groups_full};
    fprintf(out, "\nPrediction: the fastest primitives, and their time per operation\n\n");
    print_table(out, m, groups);
    fputc('\n', out);
    print_reasons(out, m, groups);
    fprintf(
        out,
        "\nThe model has queues and round trips, from the numbers above; it knows no fences%s.\n",
        m->cpu ? ",\nno scheduler (a workgroup that waits for a core waits much longer), and no "
                 "private caches"
               : "");
}

cJSON *cb_prediction_to_json(const struct cb_machine *m)
{
    cJSON *object = cJSON_CreateObject();
    for (int i = 0; i < CB_PREDICTED_COUNT; i++) {
        cJSON *winners = cJSON_AddObjectToObject(object, predicted[i].key);
        enum cb_predicted what = (enum cb_predicted)i;
        cJSON_AddStringToObject(winners, "low", cb_predict(m, what, m->groups_low).name);
        cJSON_AddStringToObject(winners, "full", cb_predict(m, what, m->groups_full).name);
    }
    return object;
}
