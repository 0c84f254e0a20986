/* SPDX-License-Identifier: Apache-2.0
 *
 * Members that are filled from JSON and from options, and the tables that say which.
 */
#include "tests/unit/unit.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/commands.h"
#include "measure/bench.h"

struct inner {
    double hold_s;
};

struct sample {
    bool flag, other_flag;
    unsigned count, level;
    uint64_t big;
    struct cb_given_uint seed;
    struct cb_given_flag told;
    struct inner inner;
    const char *name;
    struct cb_texts texts;
    struct cb_uints uints;
    struct cb_reals reals;
};

#define FIELD(key, member)   CB_FIELD(struct sample, key, member)
#define OPTION(name, member) CB_OPTION(struct sample, name, member)

static const struct cb_field fields[] = {
    FIELD("name", name),
    FIELD("flag", flag),
    CB_FIELD_ALWAYS(struct sample, "other-flag", other_flag),
    FIELD("count", count),
    CB_FIELD_ALWAYS(struct sample, "level", level),
    FIELD("big", big),
    FIELD("seed", seed),
    FIELD("told", told),
    FIELD("hold", inner.hold_s),
    {0},
};

static const struct cb_param params[] = {
    {OPTION("flag", flag)},
    {OPTION("count", count)},
    {OPTION("seed", seed)},
    {OPTION("big", big)},
    {OPTION("hold", inner.hold_s)},
    {OPTION("name", name)},
    {OPTION("text", texts)},
    {OPTION("uint", uints)},
    {OPTION("real", reals)},
    CB_HELP_PARAM,
    {0},
};

/* ---- JSON ------------------------------------------------------------------------------------ */

static void writes(const struct sample *sample, const char *expected)
{
    cJSON *object = cJSON_CreateObject();
    cb_fields_write(object, fields, sample);
    char *text = cJSON_PrintUnformatted(object);
    assert_string_equal(text, expected);
    cJSON_free(text);
    cJSON_Delete(object);
}

/* Fields are written in the order of the table; a missing one is left out, but for those that are
 * always there. */
TEST(write)
{
    struct sample none = {.inner.hold_s = NAN};
    writes(&none, "{\"other-flag\":false,\"level\":0}");
    struct sample all = {.flag = true,
                         .other_flag = true,
                         .count = 3,
                         .level = 1,
                         .big = 1u << 31,
                         .seed = {true, 0},
                         .told = {true, false},
                         .inner.hold_s = 0,
                         .name = ""};
    writes(&all, "{\"name\":\"\",\"flag\":true,\"other-flag\":true,\"count\":3,\"level\":1,"
                 "\"big\":2147483648,\"seed\":0,\"told\":false,\"hold\":0}");
}

TEST(read)
{
    struct sample s;
    cJSON *object = cJSON_Parse("{\"hold\": 2.5, \"name\": \"x\", \"count\": 7, \"big\": 1e12,"
                                "\"flag\": true, \"seed\": 0, \"told\": false, \"more\": 1}");
    memset(&s, 0x55, sizeof s);
    cb_fields_read(object, fields, &s);
    assert_true(s.flag && !s.other_flag && s.count == 7 && s.level == 0);
    assert_true(s.big == 1000000000000 && s.seed.given && s.seed.value == 0);
    assert_true(s.told.given && !s.told.value && s.inner.hold_s == 2.5);
    assert_string_equal(s.name, "x");
    assert_true(!s.texts.values && s.texts.n == 0); /* it has no field */
    cJSON_Delete(object);
}

/* A value of another type counts as missing, and too large a number as the largest. */
TEST(read_others)
{
    struct sample s;
    cJSON *object = cJSON_Parse("{\"hold\": \"2\", \"name\": 3, \"count\": 1e30, \"big\": 1e30,"
                                "\"flag\": 1, \"seed\": null, \"told\": 0, \"level\": -1}");
    memset(&s, 0x55, sizeof s);
    cb_fields_read(object, fields, &s);
    assert_true(isnan(s.inner.hold_s) && !s.name && !s.flag && !s.seed.given && !s.told.given);
    assert_true(s.level == 0 && s.count == UINT_MAX && s.big == UINT64_MAX);
    cJSON_Delete(object);
}

static struct inner other = {1};
static cJSON *empty;

static void read_another(void)
{
    cb_fields_read(empty, fields, &other);
}

static void write_another(void)
{
    cb_fields_write(empty, fields, &other);
}

static void read_options_of_another(void)
{
    cb_options_read(empty, params, &other);
}

static void aborts(void (*act)(void))
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        act();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

/* A table of one struct neither reads nor writes another. */
TEST(another_struct)
{
    empty = cJSON_CreateObject();
    aborts(read_another);
    aborts(write_another);
    aborts(read_options_of_another);
    cJSON_Delete(empty);
}

/* ---- Options --------------------------------------------------------------------------------- */

TEST(options)
{
    static const char *const given[][2] = {{"flag", "true"}, {"count", "3"},   {"seed", "0"},
                                           {"hold", "0.5"},  {"name", "x"},    {"text", "a,b"},
                                           {"uint", "07,8"}, {"real", "1.5,2"}};
    struct sample s;
    cJSON *options = cJSON_CreateObject();
    memset(&s, 0x55, sizeof s);
    cb_options_read(options, params, &s);
    assert_true(!s.flag && s.count == 0 && !s.seed.given && s.big == 0 && isnan(s.inner.hold_s));
    assert_true(!s.name && s.texts.n == 0 && s.uints.texts.n == 0 && s.reals.texts.n == 0);
    assert_null(cb_texts_at(s.texts, 0));
    assert_true(cb_uints_at(s.uints, 0) == 0 && isnan(cb_reals_at(s.reals, 0)));
    for (size_t i = 0; i < CB_COUNTOF(given); i++)
        assert_int_equal(
            cb_options_set(options, cb_param_find(params, given[i][0]), given[i][1], NULL), CB_OK);
    cb_options_read(options, params, &s);
    assert_true(s.flag && s.count == 3 && s.seed.given && s.seed.value == 0);
    assert_true(s.inner.hold_s == 0.5);
    assert_string_equal(s.name, "x");
    assert_true(s.texts.n == 2 && cb_texts_have(s.texts, "b") && !cb_texts_have(s.texts, "c"));
    assert_string_equal(cb_texts_at(s.texts, 0), "a");
    assert_string_equal(cb_texts_at(s.uints.texts, 0), "07"); /* as given */
    assert_true(cb_uints_at(s.uints, 0) == 7 && cb_uints_at(s.uints, 1) == 8);
    assert_true(cb_reals_at(s.reals, 0) == 1.5 && cb_reals_at(s.reals, 1) == 2);
    cJSON_Delete(options);
}

/* ---- All tables ------------------------------------------------------------------------------ */

/* What --help calls a unit, and how a member of it ends. */
static const struct {
    const char *value_name, *ending;
} units[] = {
    {"RUNS_PER_S", "_per_s"},
    {"S", "_s"},
    {"SECONDS", "_s"},
    {"MS", "_ms"},
    {"NS", "_ns"},
    {"W", "_w"},
    {"BYTES", "_bytes"},
    {"PERCENT", "_percent"},
};

/* The ending of a name that is a unit; NULL: it has none. */
static const char *unit_of(const char *name)
{
    for (size_t i = 0; i < CB_COUNTOF(units); i++) {
        const size_t n = strlen(name), ending = strlen(units[i].ending);
        if (n > ending && strcmp(name + n - ending, units[i].ending) == 0)
            return units[i].ending;
    }
    return NULL;
}

static void check_unit(const struct cb_param *param)
{
    const char *expected = NULL, *name = param->into.name;
    for (size_t i = 0; i < CB_COUNTOF(units) && !expected; i++)
        if (param->value_name && strcmp(param->value_name, units[i].value_name) == 0)
            expected = units[i].ending;
    const char *unit = name ? unit_of(name) : NULL;
    if (unit != expected && !(unit && expected && strcmp(unit, expected) == 0))
        fail_msg("--%s %s: the member %s should end in %s", param->name,
                 param->value_name ? param->value_name : "", name, expected ? expected : "no unit");
}

static void check_params(const struct cb_param *table)
{
    for (const struct cb_param *p = table; p && p->name; p++) {
        if (p->into.kind == CB_FIELD_NONE || (!p->into.name && strcmp(p->name, "help") != 0))
            fail_msg("--%s fills no member", p->name);
        check_unit(p);
    }
}

/* Each option fills a member, which is called by its unit. */
TEST(units)
{
    check_params(cb_global_params);
    for (int i = 0; cb_benches[i]; i++)
        check_params(cb_benches[i]->params);
    for (const struct cb_command *c = cb_commands; c->name; c++) {
        check_params(c->help->globals);
        check_params(c->help->own);
    }
}

/* A parameter that is called by a unit has a member of it. */
TEST(fields)
{
    for (int i = 0; cb_benches[i]; i++)
        for (const struct cb_field *f = cb_benches[i]->fields; f && f->key; f++) {
            const char *unit = unit_of(f->key);
            if (unit && unit_of(f->member.name) != unit)
                fail_msg("%s: the member %s of \"%s\" should end in %s", cb_benches[i]->id,
                         f->member.name, f->key, unit);
        }
}

static bool has_field(const struct cb_field *table, const char *key)
{
    while (table->key && strcmp(table->key, key) != 0)
        table++;
    return table->key;
}

/* The table by which workers read a case has all parameters with which it is planned. */
TEST(cases)
{
    static const struct cb_device devices[] = {
        {.id = "gpu", .index = "0:0", .name = "GPU", .type = "gpu", .max_wg_size = 1024},
        {.id = "cpu", .index = "1:0", .name = "CPU", .type = "cpu", .max_wg_size = 4096}};
    for (int i = 0; cb_benches[i]; i++)
        for (size_t d = 0; d < CB_COUNTOF(devices) && cb_benches[i]->fields; d++) {
            struct cb_plan plan = {.seed = 1};
            struct cb_err err = {0};
            const cJSON *item;
            cJSON *options = cJSON_CreateObject();
            cb_options_complete(options, cb_benches[i]->params);
            if (cb_plan_bench(&plan, cb_benches[i], &devices[d], options, &err) != CB_OK)
                fail_msg("%s: %s", cb_benches[i]->id, err.text);
            for (int c = 0; c < plan.count; c++)
                cJSON_ArrayForEach (item, plan.cases[c].params)
                    if (!has_field(cb_benches[i]->fields, item->string))
                        fail_msg("%s has no field \"%s\"", plan.cases[c].id, item->string);
            cb_plan_free(&plan);
            cJSON_Delete(options);
        }
}
