/* SPDX-License-Identifier: Apache-2.0
 *
 * A hostile environment, one row each: variables, profiles, workloads, labels, and places of
 * results. Most rows need a CPU device.
 */
#include "hostile.h"
#include "tests/unit/unit.h"

#include "runtime/profile.h"

#define FEW "--cpu -m 11 --wg-sizes none --bound off --protocol lockfree --runs 2 --warmup 0 "

static int setup(void **state)
{
    if (make_folder(state) != 0)
        return -1;
    make_run("good", NULL, NULL);
    make("file", TEXT, "a file\n");
    return 0;
}

/* Skips the test if there is no such device. */
static void need_cpu(void)
{
    if (exit_code_of("coopbench discover --dry-run " FEW) == 77)
        skip();
}

/* ---- Variables ------------------------------------------------------------------------------- */

#define LONG     "$(head -c 9000 /dev/zero | tr '\\0' a)"
#define ESCAPES  "'\x1b[31m\xff\xc2\x9b'"
#define MEASURE  "coopbench discover " FEW
#define REPORT   "coopbench report good -o page"
#define NO_FILES "coopbench export --to md good"

#define OWN_CONFIG "unset COOPBENCH_PROFILE_DIR; " MEASURE

/* Variables that do not hide each other stand together, since measuring takes seconds. */
static const struct {
    const char *variables, *command;
    int code;
    const char *words;
} variables[] = {
    {"COOPBENCH_HOSTNAME='' COOPBENCH_KERNEL_DIR='' COOPBENCH_CACHE_DIR='' COLUMNS='' "
     "COOPBENCH_PROFILE_DIR='' XDG_CACHE_HOME=''",
     MEASURE, 0, NULL},
    {"COOPBENCH_HOSTNAME=" ESCAPES " COOPBENCH_CACHE_DIR=" ESCAPES " COOPBENCH_PROFILE_DIR=" ESCAPES
     " COLUMNS=" ESCAPES " LC_ALL=" ESCAPES,
     MEASURE "--json -", 0, "\"\\\\x1b[31m\xef\xbf\xbd"},
    {"COOPBENCH_HOSTNAME=" LONG " COOPBENCH_CACHE_DIR=" LONG " COOPBENCH_PROFILE_DIR=" LONG
     " COLUMNS=" LONG,
     MEASURE, 0, "COOPBENCH_CACHE_DIR: the path is too long"},
    {"COOPBENCH_HOSTNAME=../../x COOPBENCH_CACHE_DIR=file COOPBENCH_PROFILE_DIR=file COLUMNS=-1",
     MEASURE, 0, "cannot create the folder file: Not a directory"},
    {"COOPBENCH_CACHE_DIR=/dev/null COLUMNS=99999999999999999999", MEASURE, 0,
     "built kernels are not kept"},
    {"COOPBENCH_KERNEL_DIR=" ESCAPES, MEASURE, 1, "COOPBENCH_KERNEL_DIR: cannot read \\x1b[31m"},
    {"COOPBENCH_KERNEL_DIR=" LONG, MEASURE, 1, "COOPBENCH_KERNEL_DIR: the path is too long"},
    {"COOPBENCH_KERNEL_DIR=file", MEASURE, 1, "COOPBENCH_KERNEL_DIR: cannot read file/"},
    {"COOPBENCH_KERNEL_DIR=" LONG, REPORT, 1, "COOPBENCH_KERNEL_DIR: the path is too long"},
    {"TMPDIR=''", REPORT, 0, NULL},
    {"TMPDIR=file", REPORT, 1, "no folder for pictures: file/"},
    {"TMPDIR=" LONG, REPORT, 1, "no folder for pictures: "},
    {"TMPDIR=none/" ESCAPES, REPORT, 1, "no folder for pictures: none/\\x1b[31m"},
    {"XDG_CACHE_HOME=" ESCAPES, NO_FILES, 0, NULL},
    {"XDG_CACHE_HOME=" LONG, NO_FILES, 0, NULL},
    {"XDG_CACHE_HOME=file", NO_FILES, 0, NULL},
    {"XDG_CONFIG_HOME=''", OWN_CONFIG, 0, NULL},
    {"XDG_CONFIG_HOME=" ESCAPES, OWN_CONFIG, 0, NULL},
    {"XDG_CONFIG_HOME=" LONG, OWN_CONFIG, 0, NULL},
    {"XDG_CONFIG_HOME=file", OWN_CONFIG, 0, NULL},
    {"PATH=''", NO_FILES, 0, NULL},
};

TEST_WITH(variables, setup, remove_folder)
{
    char command[1024];
    need_cpu();
    for (size_t i = 0; i < CB_COUNTOF(variables); i++) {
        snprintf(command, sizeof command, "export %s; %s", variables[i].variables,
                 variables[i].command);
        run(command, variables[i].code, variables[i].words);
    }
}

/* ---- Profiles -------------------------------------------------------------------------------- */

/* The first CPU device as profiles know it. */
static void find_cpu(struct cb_device *device)
{
    run("coopbench list devices --json -", 0, NULL);
    char *text = output("out");
    cJSON *tree = cJSON_Parse(text), *item;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(tree, "devices"))
        if (strcmp(cb_json_text(item, "type", ""), "cpu") == 0)
            break;
    assert_non_null(item);
    snprintf(device->id, sizeof device->id, "%s", cb_json_text(item, "id", ""));
    snprintf(device->name, sizeof device->name, "%s", cb_json_text(item, "name", ""));
    snprintf(device->driver_version, sizeof device->driver_version, "%s",
             cb_json_text(item, "driver_version", ""));
    device->compute_units = (uint64_t)cb_json_number(item, "compute_units");
    cJSON_Delete(tree);
    free(text);
}

static const struct {
    enum hostile_kind kind;
    const char *content, *words;
} profiles[] = {
    {ZERO, NULL, "it is not a regular file. Built-in values are used"},
    {PIPE, NULL, "it is not a regular file. Built-in values are used"},
    {FOLDER, NULL, "Is a directory. Built-in values are used"},
    {SPARSE, NULL, "it has 3 GB, and a profile has at most 2 MB. Built-in"},
    {LOOP, NULL, NULL},
    {TEXT, "", "delete it. Built-in values are used"},
    {TEXT, "{\"schema\": \"coopbench-profile\"`", "a NUL byte"},
    {TEXT, "\x1b[31m\xff", "delete it"},
    {TEXT, "{\"schema\": \"coopbench-profile\", \"schema_version\": \"\\u001b9.0\"}", "delete it"},
    {TEXT, "{\"schema\": \"coopbench-profile\", \"schema_version\": \"9\\u001b\"}", "\"9\\x1b\""},
    {REPEATED, "[", "delete it"},
    {REPEATED, "{\"a\":", "delete it"},
    {REPEATED, "[[[[[[[[[[[[", "at most 2 MB"},
};

/* What a sound one may have, of the wrong kinds. */
static const char *const sections[] = {
    "",
    ", \"memory\": [], \"primitives\": []",
    ", \"memory\": null, \"primitives\": 7",
    ", \"memory\": {\"runs\": \"x\", \"prediction\": 3, \"costs\": {}}",
    ", \"memory\": {\"prediction\": {\"mutex\": [], \"barrier\": {\"a\": 1}}}",
    ", \"primitives\": {\"backoff\": {\"x86\": [null], \"\\u001b\": -1e300}, \"runs\": 1e999}",
};

TEST_WITH(profiles, setup, remove_folder)
{
    struct cb_device cpu = {0};
    char path[512], text[1024];
    struct cb_err err;
    need_cpu();
    find_cpu(&cpu);
    assert_int_equal(setenv("COOPBENCH_PROFILE_DIR", folder, 1), 0);
    assert_int_equal(cb_profile_path(&cpu, path, &err), CB_OK);
    const char *name = strrchr(path, '/') + 1;
    for (size_t i = 0; i < CB_COUNTOF(profiles); i++) {
        make(name, profiles[i].kind, profiles[i].content);
        run("coopbench discover -q " FEW, 0, profiles[i].words);
        run("coopbench primitives --cpu --dry-run", 0, NULL);
    }
    for (size_t i = 0; i < CB_COUNTOF(sections); i++) {
        snprintf(text, sizeof text,
                 "{\"schema\": \"coopbench-profile\", \"schema_version\": \"1.1\", \"device\": "
                 "{\"name\": \"%s\", \"id\": \"%s\", \"driver_version\": \"%s\", "
                 "\"compute_units\": %d}%s}",
                 cpu.name, cpu.id, cpu.driver_version, (int)cpu.compute_units, sections[i]);
        make(name, TEXT, text);
        run("coopbench primitives --cpu --dry-run", 0, NULL);
        run("coopbench primitives --cpu --groups 2 --barrier counter --mutex ticket,spin_backoff "
            "--semaphore none --section 1 --ops 10 --runs 2 --warmup 0",
            0, NULL);
    }
}

/* ---- Workloads ------------------------------------------------------------------------------- */

#define WORKLOAD(rest) "{\"schema\": \"coopbench-workload\"" rest "}"
#define TIMES          ", \"period_ms\": 40, \"duration_ms\": 10"

static const struct {
    enum hostile_kind kind;
    const char *content, *words;
} workloads[] = {
    {ZERO, NULL, "it is not a regular file"},
    {PIPE, NULL, "it is not a regular file"},
    {FOLDER, NULL, "Is a directory"},
    {SPARSE, NULL, "it has 3 GB, and a workload has at most 100 kB"},
    {LOOP, NULL, "Too many levels of symbolic links"},
    {ABSENT, NULL, "No such file"},
    {TEXT, "", "w:1: is no JSON"},
    {TEXT, "\n{\n", "w:3: is no JSON"},
    {TEXT, "`", "w:1: a NUL byte"},
    {TEXT, WORKLOAD(", \"name\": \"a\"" TIMES) "x", "is no JSON"},
    {TEXT, "[]", "is no workload"},
    {TEXT, "\x1b[31m\xff", "is no JSON"},
    {TEXT, "{\"schema\": \"coopbench-\x1b\"}", "w:"},
    {TEXT, WORKLOAD(""), "w: name: expected 1 to"},
    {TEXT, WORKLOAD(", \"name\": \"\"" TIMES), "w: name: expected 1 to"},
    {TEXT, WORKLOAD(", \"name\": 3" TIMES), "w: name: expected 1 to"},
    {TEXT, WORKLOAD(", \"name\": \"../a\"" TIMES), "got \"../a\""},
    {TEXT, WORKLOAD(", \"name\": \"\\u001b[31m\"" TIMES), "got \"\\x1b[31m\""},
    {TEXT, WORKLOAD(", \"\\u001b[31m\": 1"), "unknown key \"\\x1b[31m\""},
    {TEXT, WORKLOAD(", \"name\": \"a\", \"period_ms\": -1"), "period_ms: expected milliseconds"},
    {TEXT, WORKLOAD(", \"name\": \"a\", \"period_ms\": 1e999"), "period_ms: expected"},
    {TEXT, WORKLOAD(", \"name\": \"a\", \"period_ms\": \"9\""), "period_ms: expected"},
    {TEXT, WORKLOAD(", \"name\": \"a\", \"period_ms\": 1, \"duration_ms\": 1"), "leaves the app"},
    {REPEATED, "[", "at most 100 kB"},
};

TEST_WITH(workloads, setup, remove_folder)
{
    need_cpu();
    for (size_t i = 0; i < CB_COUNTOF(workloads); i++) {
        make("w", workloads[i].kind, workloads[i].content);
        run("coopbench multitask --cpu --app bfs --workload w", 2, workloads[i].words);
    }
    run("coopbench multitask --cpu --app bfs --dry-run --workload " LONG, 2, "got \"aaaa");
    run("coopbench multitask --cpu --app bfs --dry-run --workload " ESCAPES, 2, "\\x1b[31m\\xff");
}

/* ---- Labels, and where results go ------------------------------------------------------------ */

static const struct {
    const char *options;
    int code;
    const char *words;
} places[] = {
    {"--label ''", 2, "--label: expected"},
    {"--label =", 2, "--label: expected KEY=VALUE"},
    {"--label " ESCAPES, 2, "got \"\\x1b[31m"},
    {"--label " LONG, 2, "--label: expected KEY=VALUE"},
    {"--label " LONG "=1", 2, "a key of 100 letters at most"},
    {"--label a=" ESCAPES " --json -", 0, "\\\\x1b[31m\xef\xbf\xbd"},
    {"--label " ESCAPES "=a --json -", 0, "\\\\x1b[31m\xef\xbf\xbd"},
    {"--label a=" LONG, 0, NULL},
    {"--label a=", 0, NULL},
    {"--label a=1 --label a=2 --json -", 0, "\"a\":\t\"2\""},
    {"--json ''", 2, "--json"},
    {"--json .", 2, "--json: cannot write .: Is a directory"},
    {"--json good/", 2, "--json: cannot write good/: Is a directory"},
    {"--json file/x", 2, "--json: cannot write file/x: Not a directory"},
    {"--json none/x", 2, "--json: cannot write none/x: No such file"},
    {"--json " LONG, 2, "File name too long"},
    {"--csv " LONG, 2, "File name too long"},
    {"--csv ''", 2, "--csv"},
    {"--csv . ", 2, "--csv: cannot write .: Is a directory"},
    {"--csv none/" ESCAPES, 2, "--csv: cannot write none/\\x1b[31m\\xff\\xc2\\x9b"},
    {"--json " ESCAPES " --csv " ESCAPES, 2, "would mix"},
    {"--json " ESCAPES, 0, "Results: "},
    {"--csv /dev/full", 1, "--csv: cannot write: No space left"},
    {"--json /dev/full", 1, "--json: cannot write: No space left"},
    {"-o file", 1, "file"},
    {"-o ''", 2, "output-dir"},
    {"-o " LONG, 2, "--output-dir: the path is too long"},
    {"-o new/" ESCAPES, 0, "Results: new/\\x1b[31m\\xff"},
};

TEST_WITH(places, setup, remove_folder)
{
    char command[512];
    need_cpu();
    for (size_t i = 0; i < CB_COUNTOF(places); i++) {
        snprintf(command, sizeof command, MEASURE " %s", places[i].options);
        run(command, places[i].code, places[i].words);
    }
}
