/* SPDX-License-Identifier: Apache-2.0 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cli/suite/global_params.h"
#include "measure/bench.h"
#include "tests/unit/unit.h"

#define MAX_ARGC  16
#define ARGS(...) ((const char *[]){"discover", __VA_ARGS__, NULL})
#define NO_ARGS   ((const char *[]){"discover", NULL})

static const struct cb_param *own(void)
{
    return cb_bench_find("discover")->params;
}

/* argv is copied: what is parsed belongs to the caller, and getopt_long's type is not const. */
static enum cb_status parse(const char *const *args, const struct cb_param *table,
                            struct cb_arguments *out, struct cb_err *err)
{
    static char *argv[MAX_ARGC + 1];
    int argc = 0;
    for (int i = 0; i < MAX_ARGC && argv[i]; i++) {
        free(argv[i]);
        argv[i] = NULL;
    }
    for (; args && args[argc]; argc++) {
        assert_true(argc < MAX_ARGC);
        argv[argc] = strdup(args[argc]);
    }
    return args ? cb_arguments_parse(argc, argv, cb_global_params, table, out, err) : CB_OK;
}

static int free_argv(void **unused)
{
    (void)unused;
    parse(NULL, NULL, NULL, NULL);
    return 0;
}

/* Parses args and compares the options objects. */
static struct cb_arguments parses(const char *const *args, const char *globals, const char *options)
{
    struct cb_arguments a;
    struct cb_err err;
    if (parse(args, own(), &a, &err) != CB_OK)
        fail_msg("%s", err.text);
    char *text = cJSON_PrintUnformatted(a.globals);
    assert_string_equal(text, globals);
    cJSON_free(text);
    text = cJSON_PrintUnformatted(a.options);
    assert_string_equal(text, options);
    cJSON_free(text);
    return a;
}

static void parses_options(const char *const *args, const char *globals, const char *options)
{
    struct cb_arguments a = parses(args, globals, options);
    assert_int_equal(a.n_positional, 0);
    cb_arguments_free(&a);
}

static void refuses(const char *const *args, const char *text)
{
    struct cb_arguments a;
    struct cb_err err = {CB_OK, ""};
    assert_int_equal(parse(args, own(), &a, &err), CB_USAGE);
    assert_int_equal(err.status, CB_USAGE);
    assert_string_equal(err.text, text);
    assert_null(a.globals); /* nothing is left to free */
    assert_null(a.options);
    assert_null(a.positional);
    assert_int_equal(parse(args, own(), &a, NULL), CB_USAGE);
}

/* --- Options ---------------------------------------------------------------------------------- */

TEST(nothing)
{
    parses_options(NO_ARGS, "{}", "{}");
}

TEST(spellings)
{
    parses_options(ARGS("--runs", "5"), "{\"runs\":[\"5\"]}", "{}");
    parses_options(ARGS("--runs=5"), "{\"runs\":[\"5\"]}", "{}");
    parses_options(ARGS("-o", "x"), "{\"output-dir\":[\"x\"]}", "{}");
    parses_options(ARGS("-ox"), "{\"output-dir\":[\"x\"]}", "{}");
    parses_options(ARGS("-qox"), "{\"quiet\":[\"true\"],\"output-dir\":[\"x\"]}", "{}");
    parses_options(ARGS("--json", "-"), "{\"json\":[\"-\"]}", "{}");
    parses_options(ARGS("--run-id=a=b"), "{\"run-id\":[\"a=b\"]}", "{}");
    parses_options(ARGS("-h"), "{\"help\":[\"true\"]}", "{}");
    parses_options(ARGS("--help"), "{\"help\":[\"true\"]}", "{}");
}

TEST(own_and_global)
{
    parses_options(ARGS("--protocol", "ticket,lockfree", "--runs", "3", "--bound=off"),
                   "{\"runs\":[\"3\"]}",
                   "{\"protocol\":[\"ticket\",\"lockfree\"],\"bound\":[\"off\"]}");
}

TEST(repeated)
{
    parses_options(ARGS("--runs", "5", "--runs", "6"), "{\"runs\":[\"6\"]}", "{}");
    parses_options(ARGS("-q", "-q"), "{\"quiet\":[\"true\"]}", "{}");
    parses_options(ARGS("-d", "gpu,cpu", "--protocol=spin", "--device=all", "--protocol=ticket"),
                   "{\"device\":[\"gpu\",\"cpu\",\"all\"]}",
                   "{\"protocol\":[\"spin\",\"ticket\"]}");
    refuses(ARGS("--protocol=spin", "--protocol=mcs"),
            "--protocol: expected one of ticket, spin, lockfree, unsafe, got \"mcs\"");
}

TEST(positional)
{
    struct cb_arguments a = parses(ARGS("one", "-q", "two", "-", "--runs", "5", "--", "-x", "--"),
                                   "{\"quiet\":[\"true\"],\"runs\":[\"5\"]}", "{}");
    static const char *const expected[] = {"one", "two", "-", "-x", "--"};
    assert_int_equal(a.n_positional, CB_COUNTOF(expected));
    for (size_t i = 0; i < CB_COUNTOF(expected); i++)
        assert_string_equal(a.positional[i], expected[i]);
    cb_arguments_free(&a);
    assert_int_equal(a.n_positional, 0);
    cb_arguments_free(&a);

    setenv("POSIXLY_CORRECT", "1", 1);
    a = parses(ARGS("one", "-q"), "{\"quiet\":[\"true\"]}", "{}");
    unsetenv("POSIXLY_CORRECT");
    assert_int_equal(a.n_positional, 1);
    cb_arguments_free(&a);
}

/* getopt_long keeps its place in static variables: an error inside a cluster must not last. */
TEST(again_after_an_error)
{
    refuses(ARGS("-qzv"), "unknown option -z in \"-qzv\"");
    parses_options(ARGS("-o", "x"), "{\"output-dir\":[\"x\"]}", "{}");
}

TEST(without_own_table)
{
    struct cb_arguments a;
    struct cb_err err;
    assert_int_equal(parse(ARGS("--runs=5"), NULL, &a, &err), CB_OK);
    assert_string_equal(cb_options_text(a.globals, "runs", 0), "5");
    cb_arguments_free(&a);
    assert_int_equal(parse(ARGS("--protocol=ticket"), NULL, &a, &err), CB_USAGE);
    assert_string_equal(err.text, "unknown option --protocol");
}

/* A command may give a global option's name or letter a meaning of its own. */
TEST(own_hides_global)
{
    static const struct cb_param table[] = {
        {.name = "runs", .into.kind = CB_FIELD_TEXT},
        {.name = "only", .letter = 'o', .into.kind = CB_FIELD_FLAG},
        {0},
    };
    struct cb_arguments a;
    struct cb_err err;
    assert_int_equal(parse(ARGS("--runs=all", "-o"), table, &a, &err), CB_OK);
    assert_string_equal(cb_options_text(a.options, "runs", 0), "all");
    assert_true(cb_options_flag(a.options, "only"));
    assert_int_equal(cJSON_GetArraySize(a.globals), 0);
    cb_arguments_free(&a);
}

/* --- Errors ----------------------------------------------------------------------------------- */

TEST(unknown)
{
    refuses(ARGS("--protocl", "x"), "unknown option --protocl (did you mean --protocol?)");
    refuses(ARGS("--rusn=5"), "unknown option --rusn (did you mean --runs?)");
    refuses(ARGS("--bananas"), "unknown option --bananas");
    refuses(ARGS("--RUNS=5"), "unknown option --RUNS (did you mean --runs?)");
    refuses(ARGS("-z"), "unknown option -z");
    refuses(ARGS("-q=3"), "unknown option -= in \"-q=3\"");
    refuses(ARGS("--="), "unknown option --");
}

TEST(abbreviations_are_unknown)
{
    refuses(ARGS("--outpu", "x"), "unknown option --outpu (did you mean --output-dir?)");
    refuses(ARGS("--outpu=x"), "unknown option --outpu (did you mean --output-dir?)");
    refuses(ARGS("--outpu"), "unknown option --outpu (did you mean --output-dir?)");
    refuses(ARGS("--qui"), "unknown option --qui (did you mean --quiet?)");
    refuses(ARGS("--qui=1"), "unknown option --qui (did you mean --quiet?)");
    refuses(ARGS("--run", "5"), "unknown option --run (did you mean --runs?)");
    refuses(ARGS("--max", "5"), "unknown option --max (did you mean --max-rci?)");
}

TEST(one_dash_too_few)
{
    refuses(ARGS("-runs", "5"), "unknown option -runs (did you mean --runs?)");
    refuses(ARGS("-rnus", "5"), "unknown option -r in \"-rnus\" (did you mean --runs?)");
    refuses(ARGS("-device", "gpu"), "unknown option -device (did you mean --device?)");
    refuses(ARGS("-filter=x"), "unknown option -filter (did you mean --filter?)");
}

TEST(values)
{
    refuses(ARGS("--runs", "abc"), "--runs: expected an integer from 1 to 1000000, got \"abc\"");
    refuses(ARGS("--runs", "--quiet"),
            "--runs: expected an integer from 1 to 1000000, got \"--quiet\"");
    refuses(ARGS("--protocol=tiket"), "--protocol: expected one of ticket, spin, lockfree, unsafe, "
                                      "got \"tiket\" (did you mean \"ticket\"?)");
    refuses(ARGS("-d", "a,,b"),
            "--device: expected values separated by commas, none of them empty, got \"a,,b\"");
    refuses(ARGS("--output-dir="), "--output-dir: expected a text that is not empty, got \"\"");
    refuses(ARGS("--quiet=1"), "--quiet takes no value, got \"1\"");
    refuses(ARGS("--quiet="), "--quiet takes no value, got \"\"");
    refuses(ARGS("--runs"), "--runs needs a value: --runs N");
    refuses(ARGS("-q", "-o"), "--output-dir needs a value: --output-dir DIR");
    refuses(ARGS("-qo"), "--output-dir needs a value: --output-dir DIR");
}

TEST(long_garbage)
{
    static char word[10000];
    memset(word, '-', 2);
    memset(word + 2, 'z', sizeof word - 3);
    struct cb_arguments a;
    struct cb_err err;
    assert_int_equal(parse(ARGS(word), own(), &a, &err), CB_USAGE);
    assert_true(strlen(err.text) < 200);
    assert_int_equal(parse(ARGS(word + 1), own(), &a, &err), CB_USAGE);
    assert_true(strlen(err.text) < 300);
}

/* --- Tables and help -------------------------------------------------------------------------- */

static void check_param(const struct cb_param *param)
{
    cJSON *options = cJSON_CreateObject();
    struct cb_err err;
    assert_true(param->help && *param->help);
    assert_true(!param->choices || param->into.kind == CB_FIELD_TEXT ||
                param->into.kind == CB_FIELD_TEXTS);
    assert_true(cb_param_has_value(param) || !param->default_value);
    if (param->default_value && cb_options_set(options, param, param->default_value, &err) != CB_OK)
        fail_msg("default of %s: %s", param->name, err.text);
    cJSON_Delete(options);
}

TEST(global_table)
{
    for (const struct cb_param *param = cb_global_params; param->name; param++) {
        check_param(param);
        for (const struct cb_param *other = cb_global_params; other < param; other++) {
            assert_string_not_equal(param->name, other->name);
            assert_true(!param->letter || param->letter != other->letter);
        }
    }
}

static char *help_of(const struct cb_param *table)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    cb_print_params(out, table, NULL);
    fclose(out);
    return text;
}

TEST(help_layout)
{
    static const struct cb_param table[] = {
        {.name = "quiet", .letter = 'q', .into.kind = CB_FIELD_FLAG, .help = "Print less."},
        {.name = "output-dir",
         .letter = 'o',
         .into.kind = CB_FIELD_TEXT,
         .default_value = "results",
         .value_name = "DIR",
         .help = "Folder."},
        {.name = "protocol",
         .into.kind = CB_FIELD_TEXTS,
         .choices = "ticket,spin",
         .default_value = "spin",
         .help = "Lock that is measured, one of those that the kernels have.\nSecond line."},
        {.name = "with-a-long-name-and", .into.kind = CB_FIELD_UINT, .max = 7, .help = "A number."},
        {.name = "ratio", .into.kind = CB_FIELD_REAL, .min = 0.5, .help = "Another."},
        {.name = "seed", .into.kind = CB_FIELD_UINT, .help = "Any."},
        {0},
    };
    char *text = help_of(table);
    assert_string_equal(
        text, "  -q, --quiet              Print less.\n"
              "  -o, --output-dir DIR     Folder. [default: results]\n"
              "      --protocol WORD,...  Lock that is measured, one of those that the kernels\n"
              "                           have.\n"
              "                           Second line. [ticket, spin; default: spin]\n"
              "      --with-a-long-name-and N\n"
              "                           A number. [0 to 7]\n"
              "      --ratio X            Another. [at least 0.5]\n"
              "      --seed N             Any.\n");
    free(text);
}

TEST(help_fits_a_terminal)
{
    char *text = help_of(cb_global_params);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (strlen(line) > 80 || line[strlen(line) - 1] == ' ')
            fail_msg("\"%s\"", line);
    free(text);
}

TEST(help_of_nothing)
{
    char *text = help_of(NULL);
    assert_string_equal(text, "");
    free(text);
}

ALL_TESTS(NULL, free_argv)
