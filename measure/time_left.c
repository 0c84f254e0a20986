/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/time_left.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"
#include "runtime/host/hash.h"

/* Steps between two cases. For each, one counts for the other a quarter as much. */
#define STEPS_DEVICE     4
#define STEPS_BENCH      12
#define STEPS_WORKER     6 /* for having borne the start of the worker */
#define STEPS_PER_OCTAVE 2 /* steps of expected_s */

struct estimate {
    double took_s, weight; /* weighted sum, and its weights */
    bool ended;
};

struct cb_time_left {
    const struct cb_plan *plan;
    const char **names; /* names of the parameters of any case */
    int n_names;
    /* Marks of the values, by case and name; equal values have equal marks; 0: none. */
    uint64_t *marks;
    struct estimate *cases;
    bool compared; /* a case has ended that was not the first of its device */
};

/* ---- Likeness -------------------------------------------------------------------------------- */

static uint64_t mark_of(const cJSON *value)
{
    char *text = cJSON_PrintUnformatted(value);
    const uint64_t mark = cb_hash(CB_HASH_START, text, text ? strlen(text) : 0);
    free(text);
    return mark;
}

static bool is_known(const struct cb_time_left *t, const char *name)
{
    for (int i = 0; i < t->n_names; i++)
        if (strcmp(t->names[i], name) == 0)
            return true;
    return false;
}

/* False: no memory. */
static bool find_names(struct cb_time_left *t)
{
    const cJSON *param;
    for (int i = 0; i < t->plan->count; i++)
        cJSON_ArrayForEach (param, t->plan->cases[i].params) {
            if (is_known(t, param->string))
                continue;
            const char **grown = realloc(t->names, sizeof *grown * (size_t)(t->n_names + 1));
            if (!grown)
                return false;
            t->names = grown;
            t->names[t->n_names++] = param->string;
        }
    return true;
}

/* False: no memory. */
static bool mark_params(struct cb_time_left *t)
{
    size_t names = (size_t)t->n_names;
    t->marks = calloc((size_t)t->plan->count * names + 1, sizeof *t->marks);
    for (int i = 0; t->marks && i < t->plan->count; i++)
        for (size_t k = 0; k < names; k++) {
            const cJSON *value =
                cJSON_GetObjectItemCaseSensitive(t->plan->cases[i].params, t->names[k]);
            t->marks[(size_t)i * names + k] = value ? mark_of(value) : 0;
        }
    return t->marks;
}

/* By how much longer b is expected to take than a. */
static double ratio_of(const struct cb_case *a, const struct cb_case *b)
{
    return a->expected_s > 0 && b->expected_s > 0 ? b->expected_s / a->expected_s : 1;
}

static double steps_between(const struct cb_time_left *t, int i, int k)
{
    const struct cb_case *a = &t->plan->cases[i], *b = &t->plan->cases[k];
    size_t names = (size_t)t->n_names;
    if (a->bench != b->bench)
        return STEPS_BENCH;
    int differ = a->device != b->device ? STEPS_DEVICE : 0;
    for (size_t n = 0; n < names; n++)
        differ += t->marks[(size_t)i * names + n] != t->marks[(size_t)k * names + n];
    return differ + STEPS_PER_OCTAVE * fabs(log2(ratio_of(a, b)));
}

/* ---- Learning -------------------------------------------------------------------------------- */

static bool is_first_of_device(const struct cb_time_left *t, int index)
{
    const struct cb_case *c = &t->plan->cases[index];
    if (c->kept)
        return false;
    for (int i = 0; i < t->plan->count; i++)
        if (t->cases[i].ended && !t->plan->cases[i].kept && t->plan->cases[i].device == c->device)
            return false;
    return true;
}

void cb_time_left_learn(struct cb_time_left *t, int index, double took_s)
{
    double steps = is_first_of_device(t, index) ? STEPS_WORKER : 0;
    t->cases[index].ended = true;
    t->compared = t->compared || (steps == 0 && !isnan(took_s));
    for (int i = 0; i < t->plan->count && !isnan(took_s); i++) {
        if (t->cases[i].ended)
            continue;
        /* expectations are rough: half way, in proportion, between them and what was measured */
        double like_s = took_s * sqrt(ratio_of(&t->plan->cases[index], &t->plan->cases[i]));
        double weight = exp2(-2 * (steps + steps_between(t, index, i)));
        t->cases[i].took_s += weight * like_s;
        t->cases[i].weight += weight;
    }
}

double cb_time_left_of(const struct cb_time_left *t, int index)
{
    const struct estimate *e = &t->cases[index];
    double expected_s = t->plan->cases[index].expected_s;
    if (!t->compared && !(expected_s > 0))
        return NAN;
    return e->weight > 0 ? e->took_s / e->weight : expected_s;
}

double cb_time_left(const struct cb_time_left *t)
{
    double sum = 0;
    for (int i = 0; i < t->plan->count; i++)
        sum += t->cases[i].ended ? 0 : cb_time_left_of(t, i);
    return sum;
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* What is kept of an earlier run has ended. */
static void learn_kept(struct cb_time_left *t)
{
    for (int i = 0; i < t->plan->count; i++)
        t->cases[i].ended = t->plan->cases[i].kept;
    for (int i = 0; i < t->plan->count; i++)
        if (t->plan->cases[i].kept)
            cb_time_left_learn(t, i, cb_json_number(t->plan->cases[i].kept, "duration_s"));
}

struct cb_time_left *cb_time_left_new(const struct cb_plan *plan)
{
    struct cb_time_left *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->plan = plan;
    t->cases = calloc((size_t)plan->count + 1, sizeof *t->cases);
    if (!t->cases || !find_names(t) || !mark_params(t)) {
        cb_time_left_free(t);
        return NULL;
    }
    learn_kept(t);
    return t;
}

void cb_time_left_free(struct cb_time_left *t)
{
    if (!t)
        return;
    free(t->names);
    free(t->marks);
    free(t->cases);
    free(t);
}

/* ---- Without cases that have ended ----------------------------------------------------------- */

double cb_time_expected(const struct cb_plan *plan)
{
    double sum = 0;
    for (int i = 0; i < plan->count; i++)
        if (!plan->cases[i].kept)
            sum += plan->cases[i].expected_s > 0 ? plan->cases[i].expected_s : NAN;
    return sum;
}

void cb_time_format(double seconds, char *text, size_t size)
{
    if (seconds < 100)
        snprintf(text, size, "about %.0f s", seconds);
    else if (seconds < 100 * 60)
        snprintf(text, size, "about %.0f min", seconds / 60);
    else
        snprintf(text, size, "about %.0f h", seconds / 3600);
}
