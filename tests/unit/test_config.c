/* SPDX-License-Identifier: Apache-2.0
 *
 * Suite files, written to a temporary file each. FILE in an expected error is that file's name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/config.h"
#include "measure/text/json_locate.h"

#define HEAD  "{\"schema\": \"coopbench-config\", \"schema_version\": \"1.0\",\n" /* line 1 */
#define SUITE "\"suite\": [{\"bench\": \"discover\"}]}"

static const struct cb_param globals[] = {
    {.name = "runs", .type = CB_PARAM_UINT, .min = 1, .max = 1000000},
    {.name = "seed", .type = CB_PARAM_UINT},
    {.name = "max-time", .type = CB_PARAM_REAL, .min = 0.01, .max = 86400},
    {.name = "stop", .type = CB_PARAM_CHOICE, .choices = "count,ci,time"},
    {.name = "quiet", .type = CB_PARAM_FLAG},
    {.name = "device", .type = CB_PARAM_TEXT, .list = true},
    {.name = "output-dir", .type = CB_PARAM_TEXT},
    {0},
};

static enum cb_status load(const char *text, struct cb_config *config, struct cb_err *err,
                           char path[64])
{
    strcpy(path, "/tmp/coopbench-test-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    enum cb_status status = cb_config_load(path, globals, config, err);
    unlink(path);
    return status;
}

static struct cb_config loads(const char *text)
{
    struct cb_config config;
    struct cb_err err;
    char path[64];
    if (load(text, &config, &err, path) != CB_OK)
        fail_msg("%s\nin: %s", err.text, text);
    return config;
}

/* error: "FILE" at its start stands for the file's name. */
static void refuses(const char *text, const char *error)
{
    struct cb_config config;
    struct cb_err err = {CB_OK, ""};
    char path[64], expected[CB_ERR_TEXT];
    assert_int_equal(load(text, &config, &err, path), CB_USAGE);
    assert_int_equal(err.status, CB_USAGE);
    snprintf(expected, sizeof expected, "%s%s", path, error + strlen("FILE"));
    assert_string_equal(err.text, expected);
    assert_null(config.entries); /* nothing is left to free */
    assert_null(config.settings);
    assert_int_equal(load(text, &config, NULL, path), CB_USAGE);
}

static void assert_json(const cJSON *options, const char *expected)
{
    char *text = cJSON_PrintUnformatted(options);
    assert_string_equal(text, expected);
    cJSON_free(text);
}

/* --- Right files ------------------------------------------------------------------------------ */

static void test_whole_suite(void **unused)
{
    (void)unused;
    struct cb_config config =
        loads(HEAD "\"name\": \"smoke-1.0_x\", \"description\": \"quick\",\n"
                   "\"settings\": {\"runs\": 5, \"max-time\": 10},\n"
                   "\"suite\": [\n"
                   "  {\"bench\": \"discover\", \"protocol\": [\"ticket\", \"lockfree\"],\n"
                   "   \"microbenchmark\": \"11\", \"runs\": 3},\n"
                   "  {\"bench\": \"discover\"}\n"
                   "]}\n");
    assert_string_equal(config.name, "smoke-1.0_x");
    assert_json(config.settings, "{\"runs\":[\"5\"],\"max-time\":[\"10\"]}");
    assert_int_equal(config.count, 2);
    assert_ptr_equal(config.entries[0].bench, cb_bench_find("discover"));
    assert_json(config.entries[0].options,
                "{\"protocol\":[\"ticket\",\"lockfree\"],\"microbenchmark\":[\"11\"]}");
    assert_json(config.entries[0].globals, "{\"runs\":[\"3\"]}");
    assert_json(config.entries[1].options, "{}");
    assert_json(config.entries[1].globals, "{}");
    cb_config_free(&config);
    assert_int_equal(config.count, 0);
    cb_config_free(&config); /* of an empty one */
}

static void test_smallest_suite(void **unused)
{
    (void)unused;
    struct cb_config config = loads(HEAD SUITE);
    assert_string_equal(config.name, "");
    assert_json(config.settings, "{}");
    assert_int_equal(config.count, 1);
    cb_config_free(&config);
    config = loads("\xEF\xBB\xBF" HEAD SUITE); /* byte order mark */
    cb_config_free(&config);
    config = loads("{\"schema\":\"coopbench-config\",\"schema_version\":\"1.17\"," SUITE);
    cb_config_free(&config);
}

/* Numbers and booleans become what the command line would say. */
static void test_values_become_words(void **unused)
{
    (void)unused;
    struct cb_config config = loads(
        HEAD "\"settings\": {\"runs\": 1000000, \"seed\": 9007199254740992, \"max-time\": 0.1,\n"
             "  \"quiet\": true, \"stop\": \"ci\", \"device\": \"name:A, B\", \"output-dir\": 5},\n"
             "\"suite\": [{\"bench\": \"discover\", \"microbenchmark\": 11,\n"
             "  \"delay\": [0, 1e15, 0.30000000000000004, 2.50, \"a,b\"], \"quiet\": false}]}");
    assert_json(config.settings,
                "{\"runs\":[\"1000000\"],\"seed\":[\"9007199254740992\"],\"max-time\":[\"0.1\"],"
                "\"quiet\":[\"true\"],\"stop\":[\"ci\"],\"device\":[\"name:A, B\"],"
                "\"output-dir\":[\"5\"]}");
    assert_json(config.entries[0].options,
                "{\"microbenchmark\":[\"11\"],\"delay\":[\"0\",\"1000000000000000\","
                "\"0.30000000000000004\",\"2.5\",\"a,b\"]}");
    assert_json(config.entries[0].globals, "{\"quiet\":[\"false\"]}");
    cb_config_free(&config);
}

static void test_large_seed_as_string(void **unused)
{
    (void)unused;
    struct cb_config config =
        loads(HEAD "\"settings\": {\"seed\": \"18446744073709551615\"}," SUITE);
    assert_true(cb_option_uint_or(config.settings, "seed", 0) == UINT64_MAX);
    cb_config_free(&config);
}

/* --- Files that cannot be read ---------------------------------------------------------------- */

static void test_no_file(void **unused)
{
    (void)unused;
    struct cb_config config;
    struct cb_err err;
    assert_int_equal(cb_config_load("/nonexistent/x.json", globals, &config, &err), CB_USAGE);
    assert_int_equal(err.status, CB_USAGE);
    assert_string_equal(err.text, "cannot read /nonexistent/x.json: No such file or directory");
    assert_int_equal(cb_config_load("/", globals, &config, &err), CB_USAGE);
    assert_int_equal(cb_config_load("/", globals, &config, NULL), CB_USAGE);
    assert_null(config.settings);
}

#define NOT_JSON(place, rest) "FILE:" place ": not valid JSON: expected " rest

static void test_syntax_of_values(void **unused)
{
    (void)unused;
    refuses("", NOT_JSON("1:1", "a value, got the end of the file"));
    refuses("\n\n  nul", NOT_JSON("3:3", "a value, got: nul"));
    refuses("NaN", NOT_JSON("1:1", "a value, got: NaN"));
    refuses("{\"a\":\n 'b'}", NOT_JSON("2:2", "a value, got: 'b'}"));
    refuses("[-x]", NOT_JSON("1:3", "a digit, got: x]"));
    refuses("[+1]", NOT_JSON("1:2", "a value, got: +1]"));
    refuses("[01]", NOT_JSON("1:3", "',' or ']', got: 1]"));
    refuses("[1.]", NOT_JSON("1:4", "a digit after the point, got: ]"));
    refuses("[1e]", NOT_JSON("1:4", "a digit of the exponent, got: ]"));
    refuses("[truex]", NOT_JSON("1:6", "',' or ']', got: x]"));
    refuses("[1234567890123456789012345678901234567890123456789012345678901]",
            NOT_JSON("1:2", "a shorter number, got: 123456789012345678901234"));
}

static void test_syntax_of_strings(void **unused)
{
    (void)unused;
    refuses("[\"abc", NOT_JSON("1:2", "a string that ends in the same line, got: \"abc"));
    refuses("[\"abc\n\"]", NOT_JSON("1:2", "a string that ends in the same line, got: \"abc"));
    refuses("[\"a\tb\"]",
            NOT_JSON("1:4", "\\t or \\uXXXX instead of a control character, got: \tb\"]"));
    const char *escape = "one of \" \\ / b f n r t uXXXX after the backslash, got: ";
    static const char *const wrong[] = {"x\"]", "u12\"]", "u0000\"]", "u12G4\"]"};
    for (size_t i = 0; i < CB_COUNTOF(wrong); i++) {
        char text[64], error[256];
        snprintf(text, sizeof text, "[\"a\\%s", wrong[i]);
        snprintf(error, sizeof error, NOT_JSON("1:5", "%s%s"), escape, wrong[i]);
        refuses(text, error);
    }
    refuses("[\"\\ud800\"]", "FILE: cannot be read: check its \\uXXXX escapes");
}

static void test_syntax_of_structure(void **unused)
{
    (void)unused;
    refuses("{\n", NOT_JSON("2:1", "a key in double quotes, got the end of the file"));
    refuses("{\"a\": 1,}", NOT_JSON("1:9", "a key in double quotes, got: }"));
    refuses("{a: 1}", NOT_JSON("1:2", "a key in double quotes, got: a: 1}"));
    refuses("{\n// note\n\"a\": 1}", NOT_JSON("2:1", "a key in double quotes, got: // note"));
    refuses("{\"a\" 1}", NOT_JSON("1:6", "':' after the key, got: 1}"));
    refuses("{\"a\": 1\n \"b\": 2}", NOT_JSON("2:2", "',' or '}', got: \"b\": 2}"));
    refuses("{\"a\": [1, 2}", NOT_JSON("1:12", "',' or ']', got: }"));
    refuses("[1,]", NOT_JSON("1:4", "a value, got: ]"));
    refuses("[1]\n]", NOT_JSON("2:1", "nothing after the end of the document, got: ]"));
    refuses("{} {}", NOT_JSON("1:4", "nothing after the end of the document, got: {}"));
    refuses("[x 3456789012345678901\xC3\xA4\xC3\xA4\xC3\xA4",
            NOT_JSON("1:2", "a value, got: x 3456789012345678901\xC3\xA4")); /* whole characters */
    char deep[202];
    memset(deep, '[', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    refuses(deep,
            NOT_JSON("1:101", "at most 100 levels of nesting, got: [[[[[[[[[[[[[[[[[[[[[[[["));
}

/* --- Files that are not right ----------------------------------------------------------------- */

static void test_schema(void **unused)
{
    (void)unused;
    refuses("[1]", "FILE:1: top level: expected an object, got an array");
    refuses("\n\n7", "FILE:3: top level: expected an object, got a number");
    refuses("\n{}", "FILE:2: top level: missing key \"schema\" (\"schema\": \"coopbench-config\")");
    refuses("{\"schema\":\n1}", "FILE:1: top level: \"schema\": expected a string, got a number");
    refuses("{\n\"schema\": \"coopbench-run\"}",
            "FILE:2: schema: expected \"coopbench-config\", got \"coopbench-run\"");
    refuses("{\"schema\": \"coopbench-config\"}",
            "FILE:1: top level: missing key \"schema_version\" (\"schema_version\": \"1.0\")");
    refuses("{\"schema\": \"coopbench-config\",\n\"schema_version\": 1.0}",
            "FILE:2: top level: \"schema_version\": expected a string, got a number");
    refuses("{\"schema\": \"coopbench-config\",\n\"schema_version\": \"2.0\"}",
            "FILE:2: schema_version: this coopbench reads 1.x, got \"2.0\"");
    refuses("{\"schema\": \"coopbench-config\",\n\"schema_version\": \"1\"}",
            "FILE:2: schema_version: this coopbench reads 1.x, got \"1\"");
}

static void test_top_level(void **unused)
{
    (void)unused;
    refuses(HEAD "\"setings\": {}," SUITE,
            "FILE:2: top level: unknown key \"setings\" (did you mean \"settings\"?)");
    refuses(HEAD "\"x\": {}," SUITE, "FILE:2: top level: unknown key \"x\"");
    refuses(HEAD "\"Suite\": []}",
            "FILE:2: top level: unknown key \"Suite\" (did you mean \"suite\"?)");
    refuses(HEAD "\"description\": [],\n" SUITE,
            "FILE:2: description: expected a string, got an array");
    refuses(HEAD "\"settings\": [],\n" SUITE, "FILE:2: settings: expected an object, got an array");
    refuses(HEAD "\"suite\": {}}", "FILE:2: suite: expected an array, got an object");
    refuses(HEAD "\"suite\":\n []}",
            "FILE:2: suite: expected at least one benchmark, got an empty array");
    refuses(HEAD "\"name\": \"x\"}",
            "FILE:1: top level: missing key \"suite\" (an array of benchmarks)");
}

static void test_name(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {"\"\"",    "\"A\"", "\"a b\"", "\"a/b\"",     "\"..\"",
                                        "\"-rf\"", "null",  "5",       "\"\xC3\xA4\""};
    for (size_t i = 0; i < CB_COUNTOF(wrong); i++) {
        char text[256];
        snprintf(text, sizeof text, HEAD "\"name\": %s," SUITE, wrong[i]);
        refuses(text, "FILE:2: name: expected 1 to 63 letters of a-z 0-9 _ . - that do not begin "
                      "with . or -");
    }
    char longest[64] = "", text[256];
    memset(longest, 'a', 63);
    snprintf(text, sizeof text, HEAD "\"name\": \"%s\"," SUITE, longest);
    struct cb_config config = loads(text);
    assert_string_equal(config.name, longest);
    cb_config_free(&config);
    snprintf(text, sizeof text, HEAD "\"name\": \"%sa\"," SUITE, longest);
    refuses(text, "FILE:2: name: expected 1 to 63 letters of a-z 0-9 _ . - that do not begin with "
                  ". or -");
}

static void test_duplicates(void **unused)
{
    (void)unused;
    refuses(HEAD "\"name\": \"a\",\n\n\"name\": \"a\"," SUITE,
            "FILE:4: top level: duplicate key \"name\" (first in line 2)");
    refuses(HEAD "\"settings\": {\"runs\": 5,\n\"runs\": 5}," SUITE,
            "FILE:3: settings: duplicate key \"runs\" (first in line 2)");
    refuses(HEAD
            "\"suite\": [{}, {\"bench\": \"discover\",\n \"delay\": [1,\n2],\n \"delay\": 3}]}",
            "FILE:5: suite[1]: duplicate key \"delay\" (first in line 3)");
    refuses(HEAD "\"suite\": [{\"x\": [{\"y\": 1, \"y\": 1}]}]}",
            "FILE:2: suite[0].x[0]: duplicate key \"y\" (first in line 2)");
    refuses("{\"a\": \"}\\\"{\\\\\",\n\"a\": 1}", /* quotes and braces in a string do not count */
            "FILE:2: top level: duplicate key \"a\" (first in line 1)");
}

static void test_settings(void **unused)
{
    (void)unused;
    refuses(HEAD "\"settings\": {\n\"run\": 5}," SUITE,
            "FILE:3: settings: unknown key \"run\" (did you mean \"runs\"?)");
    refuses(HEAD "\"settings\": {\n\"protocol\": \"ticket\"}," SUITE, /* of a bench, not global */
            "FILE:3: settings: unknown key \"protocol\"");
    refuses(HEAD "\"settings\": {\n\"runs\":\n0}," SUITE,
            "FILE:3: settings.runs: expected an integer from 1 to 1000000, got \"0\"");
    refuses(HEAD "\"settings\": {\"runs\": 1.5}," SUITE,
            "FILE:2: settings.runs: expected an integer from 1 to 1000000, got \"1.5\"");
    refuses(HEAD "\"settings\": {\"runs\": \"5x\"}," SUITE,
            "FILE:2: settings.runs: expected an integer from 1 to 1000000, got \"5x\"");
    refuses(HEAD "\"settings\": {\"seed\": -1}," SUITE,
            "FILE:2: settings.seed: expected an integer from 0 to 18446744073709551615, "
            "got \"-1\"");
    refuses(HEAD "\"settings\": {\"stop\": \"cI\"}," SUITE,
            "FILE:2: settings.stop: expected one of count, ci, time, got \"cI\" (did you mean "
            "\"ci\"?)");
    refuses(HEAD "\"settings\": {\"max-time\": 1e5}," SUITE,
            "FILE:2: settings.max-time: expected a number from 0.01 to 86400, got \"100000\"");
    refuses(HEAD "\"settings\": {\"output-dir\": \"\"}," SUITE,
            "FILE:2: settings.output-dir: expected a text that is not empty, got \"\"");
}

static void test_kinds_of_values(void **unused)
{
    (void)unused;
    refuses(HEAD "\"settings\": {\"runs\": null}," SUITE,
            "FILE:2: settings.runs: expected a string or a number, got null");
    refuses(HEAD "\"settings\": {\"output-dir\": true}," SUITE,
            "FILE:2: settings.output-dir: expected a string or a number, got true");
    refuses(HEAD "\"settings\": {\"runs\": {}}," SUITE,
            "FILE:2: settings.runs: expected a string or a number, got an object");
    refuses(HEAD "\"settings\": {\"runs\": [5]}," SUITE,
            "FILE:2: settings.runs: expected one value, got an array");
    refuses(HEAD "\"settings\": {\"quiet\": \"true\"}," SUITE,
            "FILE:2: settings.quiet: expected true or false, got a string");
    refuses(HEAD "\"settings\": {\"quiet\": 1}," SUITE,
            "FILE:2: settings.quiet: expected true or false, got a number");
    refuses(HEAD "\"settings\": {\"device\": null}," SUITE,
            "FILE:2: settings.device: expected a string, a number or an array of them, got null");
    refuses(HEAD "\"settings\": {\"device\": []}," SUITE,
            "FILE:2: settings.device: expected at least one value, got an empty array");
    refuses(HEAD "\"settings\": {\"device\": [\"gpu\",\n[\"cpu\"]]}," SUITE,
            "FILE:3: settings.device[1]: expected a string, a number or an array of them, got an "
            "array");
    const char *large = "FILE:2: settings.seed: a number this large is not exact in JSON: write it "
                        "as a string";
    refuses(HEAD "\"settings\": {\"seed\": 18446744073709551615}," SUITE, large);
    refuses(HEAD "\"settings\": {\"seed\": 1e999}," SUITE, large);
    refuses(HEAD "\"settings\": {\"seed\": -1e999}," SUITE, large);
}

static void test_entries(void **unused)
{
    (void)unused;
    refuses(HEAD "\"suite\": [\n\"discover\"]}",
            "FILE:3: suite[0]: expected an object, got a string");
    refuses(HEAD "\"suite\": [{\"bench\": \"discover\"},\n{\"runs\": 1}]}",
            "FILE:3: suite[1]: missing key \"bench\" (which benchmark to run)");
    refuses(HEAD "\"suite\": [{\n\"bench\": 1}]}",
            "FILE:3: suite[0]: \"bench\": expected a string, got a number");
    refuses(HEAD "\"suite\": [{\n\"bench\": \"discovr\"}]}",
            "FILE:3: suite[0]: unknown benchmark \"discovr\" (did you mean \"discover\"?); "
            "'coopbench list benchmarks' shows all");
    refuses(HEAD "\"suite\": [{\"bench\": \"q\"}]}",
            "FILE:2: suite[0]: unknown benchmark \"q\"; 'coopbench list benchmarks' shows all");
    refuses(HEAD "\"suite\": [\n{\"bench\": \"discover\",\n \"protocl\": 1}]}",
            "FILE:4: suite[0]: unknown key \"protocl\" (did you mean \"protocol\"?)");
    refuses(HEAD "\"suite\": [{\"bench\": \"discover\", \"rusn\": 1}]}",
            "FILE:2: suite[0]: unknown key \"rusn\" (did you mean \"runs\"?)");
    refuses(HEAD "\"suite\": [{\"bench\": \"discover\",\n\"protocol\": [\"ticket\",\n\"tiket\"]}]}",
            "FILE:4: suite[0].protocol[1]: expected one of ticket, spin, lockfree, unsafe, got "
            "\"tiket\" (did you mean \"ticket\"?)");
    refuses(HEAD "\"suite\": [{\"bench\": \"discover\",\n\"protocol\": \"ticket,spin\"}]}",
            "FILE:3: suite[0].protocol: expected one of ticket, spin, lockfree, unsafe, got "
            "\"ticket,spin\"; several values are an array: [\"a\", \"b\"]");
    refuses(HEAD "\"suite\": [{\"bench\": \"discover\"}, {\"bench\": \"discover\",\n\"runs\": 0}]}",
            "FILE:3: suite[1].runs: expected an integer from 1 to 1000000, got \"0\"");
}

/* --- Places ----------------------------------------------------------------------------------- */

static void test_line_of_every_node(void **unused)
{
    (void)unused;
    const char *text = "\n{\"a\": 1,\n\"b\"\n:\n[{},\n[],\n\"\\\"\\u00e4]\",\n-1.5e3, true,\n"
                       "{\"c\": null}]\n,\"d\": 2}";
    cJSON *tree = NULL;
    struct cb_err err;
    assert_int_equal(cb_json_parse("x", text, &tree, &err), CB_OK);
    assert_int_equal(cb_json_line(text, tree, tree), 2);
    assert_int_equal(cb_json_line(text, tree, cJSON_GetObjectItem(tree, "a")), 2);
    const cJSON *b = cJSON_GetObjectItem(tree, "b");
    assert_int_equal(cb_json_line(text, tree, b), 3); /* of the key, not of the value */
    static const int lines[] = {5, 6, 7, 8, 8, 9};
    for (int i = 0; i < 6; i++)
        assert_int_equal(cb_json_line(text, tree, cJSON_GetArrayItem(b, i)), lines[i]);
    assert_int_equal(cb_json_line(text, tree, cJSON_GetArrayItem(b, 5)->child), 9);
    assert_int_equal(cb_json_line(text, tree, cJSON_GetObjectItem(tree, "d")), 10);
    cJSON other = {0};
    assert_int_equal(cb_json_line(text, tree, &other), 0);
    cJSON_Delete(tree);
}

/* Whatever is cut off a suite, it is refused, not half read. */
static void test_truncated_anywhere(void **unused)
{
    (void)unused;
    const char *whole = HEAD "\"settings\": {\"max-time\": 1.5e1, \"quiet\": true},\n" SUITE;
    for (size_t n = 0; n < strlen(whole); n++) {
        struct cb_config config;
        struct cb_err err;
        char path[64], *text = strndup(whole, n);
        assert_int_equal(load(text, &config, &err, path), CB_USAGE);
        assert_non_null(strstr(err.text, ": not valid JSON: expected "));
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_suite),
        cmocka_unit_test(test_smallest_suite),
        cmocka_unit_test(test_values_become_words),
        cmocka_unit_test(test_large_seed_as_string),
        cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_syntax_of_values),
        cmocka_unit_test(test_syntax_of_strings),
        cmocka_unit_test(test_syntax_of_structure),
        cmocka_unit_test(test_schema),
        cmocka_unit_test(test_top_level),
        cmocka_unit_test(test_name),
        cmocka_unit_test(test_duplicates),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_kinds_of_values),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_line_of_every_node),
        cmocka_unit_test(test_truncated_anywhere),
    };
    return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
