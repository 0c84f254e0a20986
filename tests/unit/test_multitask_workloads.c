/* SPDX-License-Identifier: Apache-2.0
 *
 * The files that describe workloads, as options of multitask.
 */
#include "multitask_plan_fixture.h"
#include "tests/unit/unit.h"

/* --- Helpers ---------------------------------------------------------------------------------- */

/* Writes text to a file of the test's folder. Returns its path, until the next call. */
static const char *keep(const char *name, const char *text)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
    return path;
}

/* --- Workloads -------------------------------------------------------------------------------- */

static void is_workload(const char *text, const char *name, double period_ns, double duration_ns)
{
    struct cb_workload w;
    struct cb_err err = {CB_OK, ""};
    if (cb_workload_find(text, &w, &err) != CB_OK)
        fail_msg("%s", err.text);
    assert_string_equal(w.name, name);
    assert_true(w.period_ns == period_ns && w.duration_ns == duration_ns);
}

TEST_WITH(known_workloads, make_folder, remove_folder)
{
    is_workload("light", "light", 70e6, 3e6);
    is_workload("medium", "medium", 40e6, 3e6);
    is_workload("heavy", "heavy", 40e6, 10e6);
}

/* A workload's file: what follows "schema", within the object. */
#define FILE_OF(rest) "{\"schema\": \"coopbench-workload\", " rest "}"
#define NAME_47       "a-name_of-47-letters-and-digits-0123456789-6789"

TEST_WITH(workloads_of_files, make_folder, remove_folder)
{
    assert_int_equal(strlen(NAME_47), 47);
    is_workload(keep("w.json", FILE_OF("\"name\": \"mine\", \"period_ms\": 40.5,"
                                       "\n\"duration_ms\": 10")),
                "mine", 40.5e6, 10e6);
    is_workload(keep("w.json", FILE_OF("\"duration_ms\": 0.001, \"period_ms\": 3600000,"
                                       "\"name\": \"" NAME_47 "\"") "\n"),
                NAME_47, 3600e9, 1e3);
    char settings[300], expected[512];
    const char *path =
        keep("60hz.json", FILE_OF("\"name\": \"60hz\", \"period_ms\": 16, \"duration_ms\": 2"));
    snprintf(settings, sizeof settings, "app=game workload=%s,light groups=N/2,N-1", path);
    snprintf(expected, sizeof expected,
             "game/overhead/barrier=none\n"
             "game/60hz/groups=N/2,barrier=none\ngame/60hz/groups=N-1,barrier=none\n"
             "game/light/groups=N/2,barrier=none\ngame/light/groups=N-1,barrier=none\n");
    plans_ids(&cpu, settings, expected);
    snprintf(settings, sizeof settings, "app=game workload=%s groups=1", path);
    has_params(&cpu, settings, "multitask/game/60hz/groups=1,barrier=none",
               "{\"app\":\"game\",\"input\":\"8\",\"barrier\":\"none\",\"wg-size\":64,"
               "\"channel\":\"auto\",\"workload\":\"60hz\","
               "\"period_ns\":16000000,\"duration_ns\":2000000,\"groups\":\"1\",\"tasks\":25,"
               "\"budget_s\":2,\"gather-deadline\":5}");
}

/* The error is CB_USAGE; its text has this after the file's path. */
static void file_is_wrong(const char *content, const char *what)
{
    struct cb_workload w;
    struct cb_err err = {CB_OK, ""};
    const char *path = keep("wrong.json", content);
    assert_int_equal(cb_workload_find(path, &w, &err), CB_USAGE);
    assert_int_equal(strncmp(err.text, path, strlen(path)), 0);
    assert_string_equal(err.text + strlen(path), what);
}

#define HINT                                                                                       \
    "; expected {\"schema\": \"coopbench-workload\", \"name\": \"mine\", \"period_ms\": 40, "      \
    "\"duration_ms\": 10}"

TEST_WITH(files_that_are_no_workloads, make_folder, remove_folder)
{
    file_is_wrong("", ":1: is no JSON" HINT);
    file_is_wrong("{\n\"schema\": \"coopbench-workload\",\n\"name\" \"x\"}", ":3: is no JSON" HINT);
    file_is_wrong("{\n\"schema\": \"x\"}\n\nmore", ":4: is no JSON" HINT);
    file_is_wrong("[]", ": is no workload" HINT);
    file_is_wrong("7", ": is no workload" HINT);
    file_is_wrong("{}", ": is no workload" HINT);
    file_is_wrong("{\"schema\": \"coopbench-config\"}", ": is no workload" HINT);
    file_is_wrong("{\"schema\": 1}", ": is no workload" HINT);
    file_is_wrong(FILE_OF("\"period\": 40"), ": unknown key \"period\"" HINT);
}

#define NAME_HINT ": name: expected 1 to 47 small letters, digits, - or _, got "

TEST_WITH(files_with_wrong_names, make_folder, remove_folder)
{
    static const char *const names[] = {"", "Mine", "a b", "a/b", "a=b", "a,b", "\xc3\xa4", "a."};
    for (size_t i = 0; i < CB_COUNTOF(names); i++) {
        char content[256], text[256];
        snprintf(content, sizeof content,
                 FILE_OF("\"name\": \"%s\", \"period_ms\": 40, \"duration_ms\": 10"), names[i]);
        snprintf(text, sizeof text, NAME_HINT "\"%s\"", names[i]);
        file_is_wrong(content, text);
    }
    file_is_wrong(FILE_OF("\"period_ms\": 40, \"duration_ms\": 10"), NAME_HINT "\"\"");
    file_is_wrong(FILE_OF("\"name\": 5, \"period_ms\": 40, \"duration_ms\": 10"), NAME_HINT "\"\"");
    file_is_wrong(FILE_OF("\"name\": \"" NAME_47 "x\", \"period_ms\": 40, \"duration_ms\": 10"),
                  NAME_HINT "\"" NAME_47 "x\"");
}

TEST_WITH(files_with_wrong_times, make_folder, remove_folder)
{
    static const char *const times[] = {"0", "-1", "\"40\"", "null", "3600000.1", "1e999", "[40]"};
    static const char *const expected = ": expected milliseconds, more than 0 and at most 3600000";
    char content[256], text[256];
    for (size_t i = 0; i < 2 * CB_COUNTOF(times); i++) {
        bool period = i % 2 == 0;
        snprintf(content, sizeof content,
                 FILE_OF("\"name\": \"x\", \"period_ms\": %s, \"duration_ms\": %s"),
                 period ? times[i / 2] : "40", period ? "10" : times[i / 2]);
        snprintf(text, sizeof text, ": %s%s", period ? "period_ms" : "duration_ms", expected);
        file_is_wrong(content, text);
    }
    snprintf(text, sizeof text, ": period_ms%s", expected);
    file_is_wrong(FILE_OF("\"name\": \"x\", \"duration_ms\": 10"), text);
    snprintf(text, sizeof text, ": duration_ms%s", expected);
    file_is_wrong(FILE_OF("\"name\": \"x\", \"period_ms\": 10"), text);
}

TEST_WITH(workloads_that_are_not_there, make_folder, remove_folder)
{
    char settings[128], text[256];
    refuses(
        &cpu, "workload=light,hevy",
        "workload: expected light, medium, heavy or a file, got \"hevy\" (did you mean heavy?)");
    refuses(&cpu, "workload=none.json",
            "workload: expected light, medium, heavy or a file, got \"none.json\" (cannot read "
            "none.json: No such file or directory)");
    snprintf(settings, sizeof settings, "workload=%s", folder);
    snprintf(text, sizeof text,
             "workload: expected light, medium, heavy or a file, got \"%s\" (cannot read %s: Is a "
             "directory)",
             folder, folder);
    refuses(&cpu, settings, text);
}

TEST_WITH(too_many_workloads, make_folder, remove_folder)
{
    char settings[512] = "app=game groups=1 workload=none,light";
    for (int i = 2; i <= 32; i++)
        strcat(settings, ",light");
    assert_int_equal(count_of(settings), 1 + 32);
    strcat(settings, ",none");
    assert_int_equal(count_of(settings), 1 + 32);
    strcat(settings, ",light");
    refuses(&cpu, settings, "workload: at most 32");
}
