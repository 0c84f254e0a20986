/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/memory/abstraction.h"

#include <math.h>
#include <string.h>

#include "analysis/documents/rows.h"
#include "measure/text/json.h"
#include "measure/text/table.h"
#include "runtime/device.h"
#include "runtime/host/error.h"
#include "runtime/host/text.h"

/* ---- Measured -------------------------------------------------------------------------------- */

struct source {
    const cJSON *run;
    const char *device;
    char *missing; /* the first case that is; empty: none so far */
};

/* Median time of an access; NaN, with the case noted, if there is none. */
static double access_time(struct source *s, const char *kind, const char *place)
{
    const cJSON *item = cb_row_with_id(s->run, s->device, "memory/%s/%s", kind, place);
    double median = cb_json_metric(item, "access_time", "median");
    if (!(median > 0) && !s->missing[0])
        snprintf(s->missing, 160, "memory/%s/%s", kind, place);
    return median;
}

static double at_full(struct source *s, const char *kind)
{
    return access_time(s, kind, "groups=N");
}

static double hostage(struct source *s, const char *others, int bytes)
{
    char kind[32], place[32];
    snprintf(kind, sizeof kind, "hostage.%s", others);
    snprintf(place, sizeof place, "distance=%d", bytes);
    return access_time(s, kind, place);
}

static void read_groups(const struct source *s, struct cb_machine *m)
{
    const cJSON *device = cb_json_device(s->run, s->device);
    m->cpu = cb_device_type_is_cpu(cb_json_text(device, "type", ""));
    m->groups_full = cb_json_metric(
        cb_row_with_id(s->run, s->device, "memory/contentious.read.volatile/groups=N"), "groups",
        "median");
    double quarter = floor(cb_json_number(device, "compute_units") / 4);
    m->groups_low = fmin(m->groups_full, m->cpu ? 2 : fmax(2, quarter));
}

static void read_hostage(struct source *s, struct cb_machine *m)
{
    double near = hostage(s, "atomic", CB_HOSTAGE_NEAR_BYTES);
    m->hostage_idle = near / hostage(s, "idle", CB_HOSTAGE_NEAR_BYTES);
    m->hostage_far = near / hostage(s, "atomic", CB_HOSTAGE_FAR_BYTES);
    m->hostage_reads = near / hostage(s, "volatile", CB_HOSTAGE_NEAR_BYTES);
}

bool cb_machine_of(const cJSON *run, const char *device_id, struct cb_machine *m, char missing[160])
{
    struct source s = {run, device_id, missing};
    missing[0] = '\0';
    double reads = at_full(&s, "contentious.read.volatile");
    double writes = at_full(&s, "contentious.write.volatile");
    double atomic_reads = at_full(&s, "contentious.read.atomic");
    read_groups(&s, m);
    m->read_latency = access_time(&s, "contentious.chase.volatile", "groups=1");
    m->atomic_latency = access_time(&s, "contentious.chase.atomic", "groups=1");
    m->read_service = reads / m->groups_full;
    m->write_service = writes / m->groups_full;
    m->atomic_service = atomic_reads / m->groups_full;
    m->atomic_volatile_reads = atomic_reads / reads;
    m->atomic_volatile_writes = at_full(&s, "contentious.write.atomic") / writes;
    m->contention_reads = reads / at_full(&s, "noncontentious.read.volatile");
    m->contention_writes = writes / at_full(&s, "noncontentious.write.volatile");
    read_hostage(&s, m);
    bool complete = !missing[0];
    m->after_atomic = at_full(&s, "contentious.read.volatile_after_atomic") / reads;
    return complete;
}

double cb_machine_hostage(const struct cb_machine *m)
{
    return fmax(1, fmin(m->hostage_far, m->hostage_reads));
}

/* ---- Classed --------------------------------------------------------------------------------- */

/* Each parameter is like the device of the paper that it is nearer to, as a factor: on which side
 * it is of the geometric mean of the two. The device as a whole is like one of them only if all
 * are. The paper saw lines held hostage by volatile reads after one atomic (Tab. 3); here atomics
 * go on while a reader is timed, and it is compared with reads far away and with reads beside
 * reads: the smaller of the two, which only a line that is held makes large. */
enum likeness { TESLA, FERMI };

static const char *const like_names[] = {"Tesla", "Fermi"};

#define PARAMETERS 5

static const struct parameter {
    const char *name;
    double paper[2];
} parameters[PARAMETERS] = {
    {"atomic : volatile reads", {92.46, 2.99}},
    {"atomic : volatile writes", {94.57, 8.40}},
    {"contentious : noncontentious reads", {1.44, 11.49}},
    {"contentious : noncontentious writes", {3.67, 6.03}},
    {"line held hostage", {1.08, 2.98}},
};

static void values_of(const struct cb_machine *m, double values[PARAMETERS])
{
    values[0] = m->atomic_volatile_reads;
    values[1] = m->atomic_volatile_writes;
    values[2] = m->contention_reads;
    values[3] = m->contention_writes;
    values[4] = cb_machine_hostage(m);
}

static enum likeness likeness(const struct parameter *p, double value)
{
    double middle = sqrt(p->paper[TESLA] * p->paper[FERMI]);
    return (value < middle) == (p->paper[TESLA] < p->paper[FERMI]) ? TESLA : FERMI;
}

/* "a, b, c" */
static void list_like(const double *values, enum likeness wanted, char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < PARAMETERS; i++)
        if (likeness(&parameters[i], values[i]) == wanted)
            cb_text_join(text, size, "%s", parameters[i].name);
}

const char *cb_machine_class(const struct cb_machine *m, char reason[512])
{
    double values[PARAMETERS];
    char like[2][200];
    values_of(m, values);
    for (int side = 0; side < 2; side++)
        list_like(values, (enum likeness)side, like[side], sizeof like[side]);
    for (int side = 0; side < 2; side++)
        if (!like[1 - side][0]) {
            snprintf(reason, 512, "All parameters are nearer to those of %s than to those of %s.",
                     like_names[side], like_names[1 - side]);
            return like_names[side];
        }
    snprintf(reason, 512, "The parameters disagree. Like Tesla: %s.\nLike Fermi: %s.", like[TESLA],
             like[FERMI]);
    return "neither";
}

/* ---- Told ------------------------------------------------------------------------------------ */

static void format_ratio(double value, char cell[CB_CELL_BYTES])
{
    if (isnan(value))
        strcpy(cell, "-");
    else
        snprintf(cell, CB_CELL_BYTES, value >= 999.5 ? "%.0f" : "%.3g", value);
}

/* paper: the values of Tesla and Fermi; NULL: it has none. like: NULL: says nothing. */
static void fill_row(const struct cb_table *t, int row, const char *name, double value,
                     const double *paper, const char *like)
{
    strcpy(cb_table_cell(t, row, 0), name);
    format_ratio(value, cb_table_cell(t, row, 1));
    for (int side = 0; side < 2; side++)
        format_ratio(paper ? paper[side] : NAN, cb_table_cell(t, row, 2 + side));
    strcpy(cb_table_cell(t, row, 4), like ? like : "");
}

static void print_parameters(FILE *out, const struct cb_machine *m)
{
    static const char *const heads[] = {"parameter", "here", "Tesla", "Fermi", "like"};
    double values[PARAMETERS];
    struct cb_table t;
    values_of(m, values);
    if (cb_table_open(1 + PARAMETERS + 4, 5, 7u << 1, &t)) {
        for (int i = 0; i < 5; i++)
            strcpy(cb_table_cell(&t, 0, i), heads[i]);
        for (int i = 0; i < PARAMETERS; i++)
            fill_row(&t, 1 + i, parameters[i].name, values[i], parameters[i].paper,
                     like_names[likeness(&parameters[i], values[i])]);
        fill_row(&t, 6, "- reads beside atomics : alone", m->hostage_idle, NULL, NULL);
        fill_row(&t, 7, "- reads beside atomics : far from them", m->hostage_far, NULL, NULL);
        fill_row(&t, 8, "- reads beside atomics : beside reads", m->hostage_reads, NULL, NULL);
        fill_row(&t, 9, "- volatile after an atomic : volatile (Tab. 3)", m->after_atomic,
                 parameters[4].paper, NULL);
        cb_table_print(out, &t);
    }
    cb_table_free(&t);
}

void cb_machine_print(FILE *out, const struct cb_machine *m)
{
    char reason[512];
    const char *class = cb_machine_class(m, reason);
    fprintf(out, "\nMachine abstraction (SO'11 Section 4): like %s\n\n",
            strcmp(class, "neither") == 0 ? "neither Tesla nor Fermi" : class);
    print_parameters(out, m);
    fprintf(out, "\n%s\n", reason);
}

cJSON *cb_machine_to_json(const struct cb_machine *m)
{
    const struct {
        const char *key;
        double value;
    } pairs[] = {
        {"groups_full", m->groups_full},
        {"groups_low", m->groups_low},
        {"read_latency_ns", m->read_latency},
        {"atomic_latency_ns", m->atomic_latency},
        {"read_service_ns", m->read_service},
        {"write_service_ns", m->write_service},
        {"atomic_service_ns", m->atomic_service},
        {"atomic_volatile_reads", m->atomic_volatile_reads},
        {"atomic_volatile_writes", m->atomic_volatile_writes},
        {"contention_reads", m->contention_reads},
        {"contention_writes", m->contention_writes},
        {"hostage_idle", m->hostage_idle},
        {"hostage_far", m->hostage_far},
        {"hostage_reads", m->hostage_reads},
    };
    cJSON *object = cJSON_CreateObject();
    for (size_t i = 0; i < CB_COUNTOF(pairs); i++)
        cJSON_AddNumberToObject(object, pairs[i].key, pairs[i].value);
    return object;
}
