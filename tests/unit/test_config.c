/* SPDX-License-Identifier: Apache-2.0
 *
 * Suite files that are right, cannot be read, or are no JSON.
 */
#include "checks.h"
#include "config_fixture.h"
#include "tests/unit/unit.h"

/* --- Right files ------------------------------------------------------------------------------ */

TEST(whole_suite)
{
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

TEST(smallest_suite)
{
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
TEST(values_become_words)
{
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

TEST(large_seed_as_string)
{
    struct cb_config config =
        loads(HEAD "\"settings\": {\"seed\": \"18446744073709551615\"}," SUITE);
    assert_string_equal(cb_options_text(config.settings, "seed", 0), "18446744073709551615");
    cb_config_free(&config);
}

/* --- Files that cannot be read ---------------------------------------------------------------- */

TEST(no_file)
{
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

TEST(syntax_of_values)
{
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

TEST(syntax_of_strings)
{
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

TEST(syntax_of_structure)
{
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

/* --- Places ----------------------------------------------------------------------------------- */

TEST(line_of_every_node)
{
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
TEST(truncated_anywhere)
{
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
