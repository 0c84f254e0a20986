/* SPDX-License-Identifier: Apache-2.0
 *
 * Hostile files, one row each: what the built program does with them.
 */
#include "hostile.h"
#include "tests/unit/unit.h"

static int setup(void **state)
{
    if (make_folder(state) != 0)
        return -1;
    make_run("good", NULL, NULL);
    return 0;
}

/* ---- What is no file of text ----------------------------------------------------------------- */

#define NO_FILE "it is not a regular file"

/* Whatever reads it refuses it at once. */
static const struct {
    enum hostile_kind kind;
    const char *words;
} no_files[] = {
    {ZERO, NO_FILE},
    {PIPE, NO_FILE},
    {SPARSE, "it has 3 GB, and "},
    {LOOP, "Too many levels of symbolic links"},
};

/* A file, and a command that reads it. */
static const struct {
    const char *name, *command;
} readers[] = {
    {"x", "coopbench run x --dry-run"},
    {"x", "coopbench run x"},
    {"x", "coopbench export --to md x"},
    {"x", "coopbench export --to hyperfine x"},
    {"x", "coopbench report x"},
    {"x", "coopbench plot x"},
    {"x", "coopbench compare --baseline good x"},
    {"x", "coopbench compare --baseline x good"},
    {"x", "coopbench fleet x"},
    {"bad/run.json", "coopbench fleet bad"},
    {"bad/run.json", "coopbench export --to csv bad"},
    {"bad/run.json", "coopbench report bad"},
    {"bad/run.json", "coopbench plot bad"},
    {"bad/run.json", "coopbench compare --baseline good bad"},
    {"bad/run.json", "coopbench discover --resume bad"},
    {"good/samples.csv", "coopbench compare --baseline good good"},
    {"good/events.jsonl", "coopbench compare --baseline good good"},
    {"good/events.jsonl", "coopbench discover --dry-run --resume good"},
};

TEST_WITH(no_files, setup, remove_folder)
{
    make("bad", FOLDER, NULL);
    for (size_t i = 0; i < CB_COUNTOF(readers); i++) {
        for (size_t k = 0; k < CB_COUNTOF(no_files); k++) {
            bool loop = no_files[k].kind == LOOP; /* one that is sought has another message */
            make(readers[i].name, no_files[k].kind, NULL);
            run(readers[i].command, 2, loop ? NULL : no_files[k].words);
        }
        make(readers[i].name, ABSENT, NULL);
    }
}

/* ---- Configurations -------------------------------------------------------------------------- */

#define CONFIG(rest) "{\"schema\": \"coopbench-config\", \"schema_version\": \"1.0\"" rest "}"
#define SUITE        ", \"suite\": [{\"bench\": \"discover\"}]"

static const struct {
    enum hostile_kind kind;
    const char *content, *words;
} configs[] = {
    {TEXT, "", "c:1:1: not valid JSON"},
    {TEXT, "\n\n{", "c:3:2: not valid JSON"},
    {TEXT, "`", "c:1: a NUL byte"},
    {TEXT, CONFIG(SUITE) "\n`\n{\"rm\": \"-rf\"}", "c:2: a NUL byte"},
    {TEXT, "{\"sch`ema\": 1}", "c:1: a NUL byte"},
    {TEXT, "null", "expected an object, got null"},
    {TEXT, "[]", "expected an object, got an array"},
    {TEXT, "7e400", "expected"},
    {TEXT, "\xff\xfe{\x01}\x01", "not valid JSON"},
    {TEXT, CONFIG(""), "missing key \"suite\""},
    {TEXT, CONFIG(SUITE) "}", "not valid JSON: expected nothing after"},
    {TEXT, CONFIG(", \"suite\": []"), "at least one benchmark"},
    {TEXT, CONFIG(", \"suite\": {}"), "expected an array, got an object"},
    {TEXT, CONFIG(", \"suite\": [3]"), "expected an object, got a number"},
    {TEXT, CONFIG(", \"suite\": [{}]"), "missing key \"bench\""},
    {TEXT, CONFIG(", \"suite\": [{\"bench\": \"discove\"}]"), "did you mean \"discover\""},
    {TEXT, CONFIG(", \"suite\": [{\"bench\": {}}]"), "expected a string, got an object"},
    {TEXT, CONFIG(SUITE SUITE), "duplicate key \"suite\""},
    {TEXT, CONFIG(SUITE ", \"name\": \"../../x\""), "that do not begin with . or -"},
    {TEXT, CONFIG(SUITE ", \"name\": \"\""), "that do not begin with . or -"},
    {TEXT, CONFIG(SUITE ", \"settings\": {\"run-id\": \"latest\"}"), "uses the name \"latest\""},
    {TEXT, CONFIG(SUITE ", \"settings\": {\"run-id\": \"../x\"}"), "--run-id: expected"},
    {TEXT, CONFIG(SUITE ", \"settings\": {\"runs\": -1}"), "runs"},
    {TEXT, CONFIG(SUITE ", \"settings\": {\"runs\": 1e300}"), "runs"},
    {TEXT, CONFIG(SUITE ", \"settings\": {\"rounds\": 2}"), "cannot stand in one"},
    {TEXT, CONFIG(SUITE ", \"settings\": []"), "expected an object, got an array"},
    {TEXT, "{\"schema\": \"coopbench-config\", \"schema_version\": \"9.0\"}", "reads 1.x"},
    {TEXT, "{\"schema\": \"coopbench-run\", \"schema_version\": \"1.0\"}", "expected \"coopbench"},
    {REPEATED, "[", "c:1:"},
    {REPEATED, "{\"a\":", "c:1:"},
    {REPEATED, "[[[[[[[[[[[[", "and a configuration has at most 2 MB"},
};

TEST_WITH(configs, setup, remove_folder)
{
    for (size_t i = 0; i < CB_COUNTOF(configs); i++) {
        make("c", configs[i].kind, configs[i].content);
        run("coopbench run c --dry-run", 2, configs[i].words);
    }
}

/* ---- Runs to be completed -------------------------------------------------------------------- */

#define ROW(rest)              "{\"id\": \"a\", \"device\": \"d\", \"status\": \"ok\"" rest "}\n"
#define METRIC(rest)           "{\"name\": \"t\", \"unit\": \"ns\", \"better\": \"lower\", \"n\": 2" rest "}"
#define METRICS(list, samples) ROW(", \"metrics\": [" list "], \"samples\": {\"t\": [" samples "]}")
#define MEDIAN                 ", \"median\": 1"
#define SOUND                  METRICS(METRIC(MEDIAN), "1, 1")

static const struct {
    const char *rows, *words;
} events[] = {
    {SOUND "`\n", "events.jsonl:2: damaged: it is not JSON"},
    {SOUND "{\"id\": \"`\"}\n", "events.jsonl:2: damaged: it is not JSON"},
    {"\x1b[31m\n", "events.jsonl:1: damaged: it is not JSON"},
    {"null\n", "events.jsonl:1: damaged: it lacks its id"},
    {"[]\n", "events.jsonl:1: damaged: it lacks its id"},
    {"{}\n", "events.jsonl:1: damaged: it lacks its id"},
    {SOUND SOUND ROW(""), "events.jsonl:3: damaged: its metrics are no array"},
    {ROW(", \"metrics\": {}"), "its metrics are no array"},
    {METRICS("7", "1, 1"), "lacks its name"},
    {METRICS("null", "1, 1"), "lacks its name"},
    {METRICS("{\"name\": 3}", "1, 1"), "lacks its name"},
    {METRICS(METRIC(", \"median\": \"1\""), "1, 1"), "it has no median"},
    {METRICS(METRIC(", \"median\": 1e999"), "1, 1"), "it has no median"},
    {METRICS(METRIC(MEDIAN ", \"max\": null"), "1, 1"), "one of its statistics is no number"},
    {METRICS(METRIC(MEDIAN ", \"min\": 2"), "1, 1"), "are not in the order min, q1, median"},
    {METRICS(METRIC(MEDIAN), "1"), "as many samples as it says"},
    {METRICS(METRIC(MEDIAN), "1, \"x\""), "as many samples as it says"},
    {METRICS(METRIC(MEDIAN), "[1, 1]"), "as many samples as it says"},
    {ROW(", \"metrics\": [" METRIC(MEDIAN) "]"), "as many samples as it says"},
    {METRICS("{\"name\": \"t\", \"unit\": \"s\", \"better\": \"lower\", \"n\": -1}", ""),
     "is no whole number"},
    {METRICS("{\"name\": \"t\", \"unit\": \"s\", \"better\": \"lower\", \"n\": 1e18}", ""),
     "is no whole number"},
};

TEST_WITH(events, setup, remove_folder)
{
    for (size_t i = 0; i < CB_COUNTOF(events); i++) {
        make("good/events.jsonl", TEXT, events[i].rows);
        run("coopbench discover --resume good", 2, events[i].words);
    }
}

/* Each command that reads a document in which `from` is replaced says these words. */
static const struct {
    const char *from, *to, *words;
} documents[] = {
    {"\"schema_version\": \"2.0\"", "\"schema_version\": \"9.0\"",
     "\"9.0\"; this program reads 1.x and 2.x"},
    {"\"schema_version\": \"2.0\"", "\"schema_version\": 1", "this program reads 1.x and 2.x"},
    {"\"coopbench-run\"", "\"coopbench-config\"", "not a run"},
    {"\"coopbench-run\"", "[]", "not a run"},
    {"\"cases\": [", "\"cases\": {}, \"x\": [", "\"cases\" is not an array"},
    {"\"cases\"", "\"case\"", "\"cases\" is not an array"},
    {"\"run_id\"", "`\"run_id\"", "a NUL byte"},
    {"\"run_id\"", "run_id", "run.json:4:2: not valid JSON"},
    {"{", "[", "not valid JSON"},
    {"{", "", "not valid JSON"},
};

TEST_WITH(documents, setup, remove_folder)
{
    static const char *const commands[] = {
        "coopbench export --to junit bad",
        "coopbench report bad",
        "coopbench plot bad",
        "coopbench compare --baseline good bad",
        "coopbench compare --baseline bad good",
        "coopbench discover --resume bad",
    };
    for (size_t i = 0; i < CB_COUNTOF(documents); i++) {
        make_run("bad", documents[i].from, documents[i].to);
        for (size_t k = 0; k < CB_COUNTOF(commands); k++)
            run(commands[k], 2, documents[i].words);
    }
}

/* ---- What terminals, spreadsheets and JSON take for more than text --------------------------- */

/* Replaced in the run, and what then has to be printed. */
static const struct {
    const char *from, *to, *command;
    int code;
    const char *words;
} texts[] = {
    {"fixture-export", "\\u001b[31mred", "coopbench compare --baseline bad good", VERDICT,
     "\\x1b[31mred"},
    {"fixture-export", "\\u001b[31mred", "coopbench compare --baseline good bad", VERDICT,
     "\\x1b[31mred"},
    {"fixture-export", "\x1b[31mred", "coopbench compare --baseline good bad", VERDICT,
     "\\x1b[31mred"},
    {"fixture-export", "\\u001b[31mred", "coopbench export --to csv bad", 0, "\\x1b[31mred"},
    {"fixture-export", "\\u001b]0;x\\u0007", "coopbench export --to gbench bad", 0, "\\x1b]0;x"},
    {"fixture-export", "=1+1", "coopbench export --to csv bad", 0, "\n'=1+1,"},
    {"fixture-export", "@SUM(A1)", "coopbench export --to csv bad", 0, "\n'@SUM(A1),"},
    {"fixture-export", "\xff\xfe", "coopbench export --to gbench bad", 0,
     "\"\xef\xbf\xbd\xef\xbf\xbd\""},
    {"fixture-export", "\xe9", "coopbench compare --json - --baseline good bad", VERDICT,
     "\xef\xbf\xbd"},
    {"fixture-export", "\xe9", "coopbench export --to csv bad", 0, "\xef\xbf\xbd"},
    {"fixture-export", "\xe9", "coopbench export --to junit bad", 0, NULL},
    {"Example GPU", "\\u001b[2J", "coopbench export --to md bad", 0, "x1b"},
    {"Example GPU", "\xed\xa0\x80", "coopbench export --to md bad", 0, "\xef\xbf\xbd"},
    {"Example GPU", "\\u009b2J", "coopbench compare --baseline bad bad", VERDICT, NULL},
    {"Example GPU", "\xf5", "coopbench export --to github --direction smaller bad", 0, NULL},
    {"discover/ticket/11/delay=0", "\\u001b[31m\xff", "coopbench export --to hyperfine bad", 0,
     "x1b"},
    {"discover/ticket/11/delay=0", "\\u001b[31m\xff", "coopbench export --to bmf bad", 0, "x1b"},
    {"discover/ticket/11/delay=0", "\\u001b[31m\xff", "coopbench export --to md bad", 0, "x1b"},
    {"discover/ticket/11/delay=0", "\\u202e\\r", "coopbench compare --baseline good bad", VERDICT,
     NULL},
    {"protocol_time", "\\u001b[31m", "coopbench compare --baseline bad bad", VERDICT, NULL},
    {"\"ns\"", "\"\\u001b[31m\"", "coopbench export --to md bad", 0, "x1b"},
    {"\"reason\": null", "\"reason\": \"\\u001b[31m\"", "coopbench export --to csv bad", 0, "x1b"},
    {"\"protocol\"", "\"\\u001b\xff\"", "coopbench export --to csv bad", 0, "\\x1b\xef\xbf\xbd"},
    {"\"complete\": true", "\"complete\": false", "coopbench export --to csv bad", 0,
     "not complete"},
};

TEST_WITH(texts_of_runs, setup, remove_folder)
{
    for (size_t i = 0; i < CB_COUNTOF(texts); i++) {
        make_run("bad", texts[i].from, texts[i].to);
        run(texts[i].command, texts[i].code, texts[i].words);
    }
}

/* Arguments, and texts of a configuration c. */
static const struct {
    const char *content, *command, *words;
} arguments[] = {
    {"", "coopbench run '\x1b[31m'", "\\x1b[31m"},
    {"", "coopbench '\x1b[31m'", "\\x1b[31m"},
    {"", "coopbench discover '--\x1b[31m'", "\\x1b[31m"},
    {"", "coopbench discover --runs '\x1b[31m'", "\\x1b[31m"},
    {"", "coopbench discover --protocol '\x9b[31m'", "\\x9b[31m"},
    {"", "coopbench discover --run-id '\x1b[31m'", "\\x1b[31m"},
    {"", "coopbench discover --label '\x1b[31m'", "\\x1b[31m"},
    {"", "coopbench discover --resume '\x1b[31m'", "\\x1b[31m"},
    {"", "coopbench compare --baseline '\x1b]0;x\x07' good", "\\x1b]0;x\\x07"},
    {"", "coopbench compare --metric '\x1b[31m' --baseline good good", "\\x1b[31m"},
    {"", "coopbench compare --threshold '\x1b[31m' --baseline good good", "\\x1b[31m"},
    {"", "coopbench export --to '\x1b[31m' good", "\\x1b[31m"},
    {"", "coopbench export --to md 'caf\xe9'", "caf\\xe9"},
    {"", "coopbench report '\x1b[31m'", "\\x1b[31m"},
    {"", "coopbench plot '\x1b[31m'", "\\x1b[31m"},
    {"\x1b[31m", "coopbench run c", "\\x1b[31m"},
    {"{\"\\u001b[31m\": 1}", "coopbench run c", "c:1:"},
    {"\xff\xff", "coopbench run c", "\\xff"},
    {CONFIG(SUITE ", \"\\u001b[31m\": 1"), "coopbench run c", "\\x1b[31m"},
    {CONFIG(SUITE ", \"settings\": {\"\\u001b[31m\": 1}"), "coopbench run c", "\\x1b[31m"},
    {CONFIG(SUITE ", \"settings\": {\"runs\": \"\\u001b[31m\"}"), "coopbench run c", "\\x1b[31m"},
    {CONFIG(", \"suite\": [{\"bench\": \"\\u009b31m\"}]"), "coopbench run c", "\\xc2\\x9b31m"},
    {"{\"schema\": \"\\u001b[31m\"}", "coopbench run c", "\\x1b[31m"},
};

TEST_WITH(texts_of_arguments, setup, remove_folder)
{
    for (size_t i = 0; i < CB_COUNTOF(arguments); i++) {
        make("c", TEXT, arguments[i].content);
        run(arguments[i].command, 2, arguments[i].words);
    }
}

/* ---- Names ----------------------------------------------------------------------------------- */

static const struct {
    const char *id, *words;
} run_ids[] = {
    {"latest", "uses the name \"latest\""},
    {"run.json", "uses the name \"run.json\""},
    {"report.html", "uses the name \"report.html\""},
    {"..", "--run-id: expected"},
    {"a/b", "--run-id: expected"},
    {"", "--run-id"},
    {"-x", "--run-id"},
    {".hidden", "--run-id: expected"},
    {"a b", "--run-id: expected"},
    {"x;reboot", "--run-id: expected"},
};

TEST_WITH(run_ids, setup, remove_folder)
{
    char command[256];
    for (size_t i = 0; i < CB_COUNTOF(run_ids); i++) {
        snprintf(command, sizeof command, "coopbench discover --dry-run --run-id '%s'",
                 run_ids[i].id);
        run(command, 2, run_ids[i].words);
    }
}

/* ---- Numbers of a run ------------------------------------------------------------------------ */

/* The first metric of a time has these samples. */
static const struct {
    const char *n, *format;
    int code;
    const char *words;
} sample_counts[] = {
    {"2000000000", "hyperfine", 2, "n is 2000000000: hyperfine's format"},
    {"1e300", "hyperfine", 2, "number of samples is no whole number"},
    {"2000000000", "gbench", 0, "2000000000"},
    {"-5", "hyperfine", 2, "number of samples is no whole number"},
    {"null", "hyperfine", 2, "number of samples is no whole number"},
    {"\"20\"", "hyperfine", 2, "number of samples is no whole number"},
    {"[]", "hyperfine", 2, "number of samples is no whole number"},
};

TEST_WITH(sample_counts, setup, remove_folder)
{
    char n[64], command[128];
    for (size_t i = 0; i < CB_COUNTOF(sample_counts); i++) {
        snprintf(n, sizeof n, "\"unit\": \"ns\", \"n\": %s,", sample_counts[i].n);
        make_run("bad", "\"unit\": \"ns\",", n);
        snprintf(command, sizeof command, "coopbench export --to %s bad", sample_counts[i].format);
        run(command, sample_counts[i].code, sample_counts[i].words);
    }
}
