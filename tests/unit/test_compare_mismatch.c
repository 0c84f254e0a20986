/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs against baselines: what is comparable, and what broken files do.
 */
#include "compare_fixture.h"
#include "tests/unit/unit.h"

/* --- Runs ------------------------------------------------------------------------------------- */

static void refused(const char *expected)
{
    struct cb_err err;
    assert_int_equal(try_compare(&err), CB_USAGE);
    if (!strstr(err.text, expected))
        fail_msg("\"%s\" is not in \"%s\"", expected, err.text);
}

/* --- Mismatches ------------------------------------------------------------------------------- */

static void load_other(const char *device, const char *driver, const char *cpu, int wg)
{
    cJSON *run = new_run(device, driver), *c = add_case(run, "f/a", "ok");
    add_metric(c, "time", "lower", 100);
    cJSON_ReplaceItemInObjectCaseSensitive(cJSON_GetObjectItemCaseSensitive(run, "host"), "cpu",
                                           cJSON_CreateString(cpu));
    cJSON_ReplaceItemInObjectCaseSensitive(cJSON_GetObjectItemCaseSensitive(c, "params"), "wg-size",
                                           cJSON_CreateNumber(wg));
    load(run);
}

/* The run is of uuid:aa11, driver 1.0, a processor, wg 64. */
static void check_mismatch(const char *text, unsigned bit)
{
    load(run_of(100));
    const struct cb_comparison *row = only(CB_INCOMPARABLE);
    if (!row->detail || !strstr(row->detail, text))
        fail_msg("\"%s\" is not in \"%s\"", text, row->detail ? row->detail : "");
    cb_comparisons_free(&comparisons);
    allowed = bit;
    only(CB_SAME);
}

TEST_WITH(another_device, setup, teardown)
{
    load_other("uuid:bb22", "1.0", "a processor", 64);
    check_mismatch("--allow-mismatch device)", CB_MISMATCH_DEVICE);
}

TEST_WITH(another_driver, setup, teardown)
{
    load_other("uuid:aa11", "0.9", "a processor", 64);
    check_mismatch("driver_version of the device was \"0.9\", is \"1.0\"", CB_MISMATCH_DRIVER);
}

TEST_WITH(another_host, setup, teardown)
{
    load_other("uuid:aa11", "1.0", "another", 64);
    check_mismatch("cpu of the host was \"another\"", CB_MISMATCH_HOST);
}

TEST_WITH(other_parameters, setup, teardown)
{
    load_other("uuid:aa11", "1.0", "a processor", 32);
    check_mismatch("parameter wg-size was 32, is 64", CB_MISMATCH_PARAMS);
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

/* A run of a case whose input has this path, and of which the document tells this much. */
static void load_input(const char *path, const char *identity)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char id[64], inputs[160];
    snprintf(id, sizeof id, "f/%s/x", name);
    snprintf(inputs, sizeof inputs, "{\"input\": %s}", identity ? identity : "");
    cJSON *run = new_run("uuid:aa11", "1.0"), *c = add_case(run, id, "ok");
    cJSON *params = cJSON_GetObjectItemCaseSensitive(c, "params");
    cJSON_AddStringToObject(params, "input", path);
    cJSON_AddStringToObject(params, "input_name", name);
    if (identity)
        cJSON_AddItemToObject(c, "inputs", cJSON_Parse(inputs));
    add_metric(c, "time", "lower", 100);
    load(run);
}

#define KARATE "{\"vertices\": 34, \"edges\": 156, \"hash\": \"00000000000000a1\"}"
#define POWER  "{\"vertices\": 4941, \"edges\": 13188, \"hash\": \"00000000000000b2\"}"
#define TURNED "{\"vertices\": 34, \"edges\": 156, \"hash\": \"00000000000000c3\"}"
#define KERNEL "{\"hash\": \"00000000000000d4\", \"source\": \"00000000000000e5\"}"
#define EDITED "{\"hash\": \"00000000000000d4\", \"source\": \"00000000000000f6\"}"
#define SETUP  "{\"hash\": \"0000000000000077\", \"source\": \"00000000000000e5\"}"

TEST_WITH(contents_of_inputs, setup, teardown)
{
    static const struct {
        const char *was, *was_read, *is, *is_read, *why; /* NULL: they compare */
    } rows[] = {
        {"a/g.graph", KARATE, "a/g.graph", KARATE, NULL},
        {"a/g.graph", KARATE, "a/g.graph", POWER,
         "input g.graph: 34 vertices, 156 edges; is 4941 and 13188 (--allow-mismatch params)"},
        {"a/g.graph", KARATE, "a/g.graph", TURNED,
         "input g.graph: 34 vertices, 156 edges; is as large, but has other contents"},
        {"a/g.graph", KARATE, "/somewhere/else/g.graph", KARATE, NULL},
        {"a/g.graph", KARATE, "a/g.graph.gz", KARATE, NULL},
        {"a/g.graph", KARATE, "other.el", KARATE, NULL},
        {"./k.json", KERNEL, "./k.json", EDITED, NULL},
        {"./k.json", KERNEL, "./k.json", SETUP,
         "input k.json: hash 00000000000000d4; is hash 0000000000000077"},
        /* documents that do not tell: by their path, as ever */
        {"a/g.graph", NULL, "a/g.graph", POWER, NULL},
        {"a/g.graph", NULL, "b/g.graph", KARATE, "parameter input was \"a/g.graph\""},
        {"a/g.graph", KARATE, "b/g.graph", NULL, "parameter input was \"a/g.graph\""},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        load_input(rows[i].was, rows[i].was_read);
        load_input(rows[i].is, rows[i].is_read);
        const struct cb_comparison *row = only(rows[i].why ? CB_INCOMPARABLE : CB_SAME);
        if (rows[i].why && !strstr(row->detail, rows[i].why))
            fail_msg("row %zu: \"%s\" is not in \"%s\"", i, rows[i].why, row->detail);
        cb_comparisons_free(&comparisons);
        while (n_tables > 0)
            cb_run_table_free(&tables[--n_tables]);
    }
}

/* A name that is in the id, but of other contents, is no alias; nor is the same input of another
 * case. */
TEST_WITH(no_alias, setup, teardown)
{
    load_input("a.el", KARATE);
    load_input("b.el", POWER);
    refused("no case in common");
    load_input("c.el", POWER);
    load_input("d.el", POWER);
    const struct cb_run_case *b = &tables[1].cases[0], *c = &tables[2].cases[0];
    struct cb_run_case other = *c;
    assert_true(cb_run_case_is_alias(b, c));
    other.id = "f/c.el/y";
    assert_false(cb_run_case_is_alias(b, &other));
    other = *c;
    other.device = "uuid:bb22";
    assert_false(cb_run_case_is_alias(b, &other));
    assert_false(cb_run_case_is_alias(&tables[0].cases[0], c));
}

TEST_WITH(another_unit, setup, teardown)
{
    load(run_of(100));
    cJSON *run = new_run("uuid:aa11", "1.0");
    cJSON *m = add_metric(add_case(run, "f/a", "ok"), "time", "lower", 100);
    cJSON_ReplaceItemInObjectCaseSensitive(m, "unit", cJSON_CreateString("s"));
    load(run);
    assert_string_equal(only(CB_INCOMPARABLE)->detail, "the unit was ns, is s");
}

/* --- Bad input -------------------------------------------------------------------------------- */

TEST_WITH(nothing_in_common, setup, teardown)
{
    cJSON *other = new_run("uuid:aa11", "1.0");
    add_metric(add_case(other, "g/b", "ok"), "time", "lower", 100);
    load(other);
    load(run_of(100));
    refused("no case in common: r has g/b");
}

TEST_WITH(a_filter_that_fits_nothing, setup, teardown)
{
    load(run_of(100));
    load(run_of(100));
    cJSON_AddItemToArray(cJSON_AddArrayToObject(options, "filter"), cJSON_CreateString("x*"));
    refused("--filter");
}

static void check_refused(const char *text, const char *expected)
{
    struct cb_err err = {CB_OK, ""};
    assert_int_equal(load_text(text, &err), CB_USAGE);
    if (!strstr(err.text, expected))
        fail_msg("\"%s\" is not in \"%s\"", expected, err.text);
}

TEST_WITH(broken_documents, setup, teardown)
{
    check_refused("", "not valid JSON");
    check_refused("{\"schema\":\"coopbench-run\",\n\"cases\":[{\"id\"", "run.json:2:");
    check_refused("{\"schema\":\"coopbench-run\",\"cases\":[NaN]}", "not valid JSON");
    check_refused("{\"schema\":\"coopbench-config\"}", "not a run");
    check_refused("[]", "not a run");
    check_refused("{\"schema\":\"coopbench-run\",\"schema_version\":\"0.9\",\"cases\":[]}",
                  "schema_version \"0.9\"; this program reads 1.x");
    check_refused("{\"schema\":\"coopbench-run\",\"schema_version\":\"1.2\",\"cases\":5}",
                  "\"cases\" is not an array");
    check_refused("{\"schema\":\"coopbench-run\",\"schema_version\":\"1.2\",\"cases\":[{}]}",
                  "cases[0] has no \"id\"");
    check_refused("{\"schema\":\"coopbench-run\",\"schema_version\":\"1.2\",\"cases\":[{\"id\":"
                  "\"a\"},{\"id\":\"a\"}]}",
                  "the case a is there twice");
}

/* Every key of a metric in turn as something that it must not be: of such a document no number
 * counts. */
TEST_WITH(numbers_that_mean_nothing, setup, teardown)
{
    static const struct {
        const char *key, *value, *why;
    } rows[] = {
        {"median", "null", "no median"},         {"median", "1e999", "no median"},
        {"median", "\"5\"", "no median"},        {"n", "0", "number of samples"},
        {"n", "-3", "number of samples"},        {"n", "2.5", "number of samples"},
        {"ci95_low", "500", "does not enclose"}, {"ci95_high", "1", "does not enclose"},
        {"ci95_low", "null", "is no number"},    {"min", "101", "not in the order"},
        {"max", "99", "not in the order"},       {"p95", "1e3", "not in the order"},
        {"mean", "\"much\"", "is no number"},    {"ci95_high", "151", "outside min and max"},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        cJSON *run = run_of(100);
        cJSON *m = cJSON_GetObjectItemCaseSensitive(
                       cJSON_GetObjectItemCaseSensitive(run, "cases")->child, "metrics")
                       ->child;
        cJSON_AddNumberToObject(m, "min", 50);
        cJSON_AddNumberToObject(m, "max", 150);
        cJSON_DeleteItemFromObjectCaseSensitive(m, rows[i].key);
        cJSON_AddItemToObject(m, rows[i].key, cJSON_CreateRaw(rows[i].value));
        char *text = cJSON_Print(run);
        check_refused(text, rows[i].why);
        check_refused(text, "time of f/a");
        free(text);
        cJSON_Delete(run);
    }
}
