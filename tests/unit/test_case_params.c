/* SPDX-License-Identifier: Apache-2.0
 *
 * Requests to open a case that lack a parameter, or have another text for it: a worker answers with
 * an error. The device is none, so that OpenCL's calls fail: what is looked at comes before them.
 */
static const char *bench_id;
#define BENCH bench_id
#include "bench_fixture.h"
#include "measure/process/open_cases.h"
#include "runtime/session.h"

static const struct cb_device cpu = {
    .id = "cpu", .index = "0:0", .name = "CPU", .type = "cpu", .max_wg_size = 4096};

/* Options whose cases have other parameters than those by default. */
static const struct {
    const char *bench, *settings;
} others[] = {
    {"discover", "starvation=8 bound=off protocol=ticket"},
    {"graphics", "observer=none period=20 duration=1 scene=light"},
    {"launch", "program=bt tune=true"},
    {"multitask", "app=bfs beside=color"},
    {"preempt", "app=bfs beside=bfs"},
    {"preempt", "app=bfs hybrid=true"},
    {"primitives", "tune=true"},
    {"throttle", "schedule=none power-cap=100"},
};

/* For people: not read by who opens a case. */
static bool is_name(const char *key)
{
    return strcmp(key, "input_name") == 0;
}

/* ---- Requests -------------------------------------------------------------------------------- */

/* Opens the case with another text for one of its parameters; NULL: without it. */
static struct cb_err open_with(const struct cb_case *c, const char *key, const char *text)
{
    struct cb_session session = {.info = *c->device, .ns_per_tick = 1, .rehearsal = true};
    struct cb_open_cases cases = {.session = &session};
    struct cb_err err = {CB_OK, ""};
    cJSON *params = cJSON_Duplicate(c->params, true);
    cJSON_DeleteItemFromObjectCaseSensitive(params, key);
    if (text)
        cJSON_AddStringToObject(params, key, text);
    err.status = cb_cases_open(&cases, c->id, c->bench, 0, params, &err);
    cb_cases_close_all(&cases);
    cb_session_close(&session);
    cJSON_Delete(params);
    return err;
}

/* One that the case needs is named; without another it may be a case of another kind. */
static void refuses_without(const struct cb_case *c, const struct cb_field *field)
{
    struct cb_err err = open_with(c, field->key, NULL);
    if (field->needed && (err.status != CB_ERROR || !strstr(err.text, field->key)))
        fail_msg("%s was opened without %s: %s", c->id, field->key, err.text);
}

static void refuses_hostile(const struct cb_case *c)
{
    static const char *const texts[] = {"", "?"};
    for (const struct cb_field *f = c->bench->fields; f->key; f++) {
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(c->params, f->key);
        if (value)
            refuses_without(c, f);
        for (size_t t = 0; cJSON_IsString(value) && t < CB_COUNTOF(texts); t++)
            open_with(c, f->key, texts[t]); /* returns */
    }
}

/* ---- Cases ----------------------------------------------------------------------------------- */

#define MOST_FIELDS 64

/* What the cases of a bench have. */
struct seen {
    int cases, with[MOST_FIELDS]; /* with a text, for each row of its fields */
    uint64_t sets[MOST_FIELDS];   /* of parameters, a bit for each row */
    int n_sets;
};

/* Returns whether no case had these parameters. */
static bool is_new(struct seen *seen, uint64_t set)
{
    for (int i = 0; i < seen->n_sets; i++)
        if (seen->sets[i] == set)
            return false;
    assert_in_range(seen->n_sets, 0, MOST_FIELDS - 1);
    seen->sets[seen->n_sets++] = set;
    return true;
}

static void look_at(struct seen *seen, const struct cb_case *c)
{
    uint64_t set = 0;
    struct cb_err err;
    if (cb_fields_check(c->params, c->bench->fields, &err) != CB_OK)
        fail_msg("%s is planned so: %s", c->id, err.text);
    seen->cases++;
    for (int f = 0; c->bench->fields[f].key; f++) {
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(c->params, c->bench->fields[f].key);
        assert_in_range(f, 0, MOST_FIELDS - 1);
        set |= value ? UINT64_C(1) << f : 0;
        seen->with[f] += cJSON_IsString(value);
    }
    if (is_new(seen, set))
        refuses_hostile(c);
}

static void look_at_plan(struct seen *seen, const char *settings)
{
    struct cb_plan plan = plans(&cpu, settings);
    for (int i = 0; i < plan.count; i++)
        look_at(seen, &plan.cases[i]);
    cb_plan_free(&plan);
}

/* Texts that all cases have are those that their table needs. */
TEST(all_benches)
{
    for (int b = 0; cb_benches[b]; b++) {
        const struct cb_field *fields = cb_benches[b]->fields;
        struct seen seen = {0};
        bench_id = cb_benches[b]->id;
        look_at_plan(&seen, "");
        for (size_t i = 0; i < CB_COUNTOF(others); i++)
            if (strcmp(others[i].bench, bench_id) == 0)
                look_at_plan(&seen, others[i].settings);
        for (int f = 0; fields[f].key; f++)
            if (!is_name(fields[f].key) && fields[f].needed != (seen.with[f] == seen.cases))
                fail_msg("%s: \"%s\": %d of %d cases have it", bench_id, fields[f].key,
                         seen.with[f], seen.cases);
    }
}
