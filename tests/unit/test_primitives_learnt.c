/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run of the primitives leaves in a device's profile, and what later runs read there.
 */
#include "temp_folder.h"

#include "benchmarks/primitives/learnt.h"
#include "runtime/device.h"
#include "runtime/host/error.h"
#include "runtime/profile.h"

/* --- Forms ------------------------------------------------------------------------------------ */

static void test_form_of_a_primitive(void **unused)
{
    (void)unused;
    static const struct {
        const char *kind, *name;
        enum cb_backoff form;
    } rows[] = {
        {"barrier", "xf", CB_BACKOFF_NONE},
        {"barrier", "counter", CB_BACKOFF_NONE},
        {"barrier", "broadcast", CB_BACKOFF_NONE},
        {"barrier", "patient", CB_BACKOFF_NONE},
        {"barrier", "native", CB_BACKOFF_NONE},
        {"mutex", "spin", CB_BACKOFF_NONE},
        {"mutex", "spin_backoff", CB_BACKOFF_PAUSES},
        {"mutex", "ticket", CB_BACKOFF_NONE}, /* the semaphore of this name pauses */
        {"mutex", "ticket_backoff", CB_BACKOFF_PLACES},
        {"mutex", "array", CB_BACKOFF_NONE},
        {"semaphore", "spin", CB_BACKOFF_NONE},
        {"semaphore", "spin_backoff", CB_BACKOFF_PAUSES},
        {"semaphore", "sleeping", CB_BACKOFF_NONE},
        {"semaphore", "ticket", CB_BACKOFF_PLACES},
        {"semaphore", "optimistic", CB_BACKOFF_PAUSES},
    };
    for (size_t i = 0; i < CB_COUNTOF(rows); i++)
        if (cb_backoff_of(rows[i].kind, rows[i].name) != rows[i].form)
            fail_msg("%s.%s", rows[i].kind, rows[i].name);
}

static void texts_have_form(const char *const *texts, size_t n, enum cb_backoff form)
{
    for (size_t i = 0; i < n; i++)
        if (cb_backoff_of_text(texts[i]) != form)
            fail_msg("\"%s\" has form %d", texts[i], cb_backoff_of_text(texts[i]));
}

static void test_form_of_a_text(void **unused)
{
    (void)unused;
    static const char *const places[] = {"1", "30", "250", "1000000", "0000001"};
    static const char *const pauses[] = {"1:1", "64:1024", "1:1000000", "1000000:1000000",
                                         "0064:1024"};
    static const char *const neither[] = {
        "",          "0",        "0:5",        "10:5",     "a",        "a:b",      "1:",
        ":1",        ":",        "1:2:3",      "1::2",     "1000001",  "1:b",      "1:1000001",
        "-1",        "+1",       " 1",         "1 ",       "1.5",      "64:1024x", "0x10",
        "12345678",  "00000001", "1:00000001", "64: 1024", "64 :1024", "profile",  "64:-1",
        "1:9999999", "64-1024",  "9999999",    "64,1024",  "1:0",      "\n",
    };
    texts_have_form(places, CB_COUNTOF(places), CB_BACKOFF_PLACES);
    texts_have_form(pauses, CB_COUNTOF(pauses), CB_BACKOFF_PAUSES);
    texts_have_form(neither, CB_COUNTOF(neither), CB_BACKOFF_NONE);
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* The levels of spin_backoff are not in order, and some are no pauses of the right form. */
#define PROFILE                                                                                    \
    "{\"primitives\": {\"occupancy\": 2112, \"backoff\": {"                                        \
    "\"mutex.spin_backoff\": ["                                                                    \
    "{\"groups\": 2112, \"ns\": \"128:1024\"}, {\"groups\": 132, \"ns\": \"32:256\"},"             \
    "{\"groups\": 264, \"ns\": \"250\"}, {\"groups\": 265, \"ns\": \"1:0\"},"                      \
    "{\"groups\": 266}, {\"groups\": 528, \"ns\": \"64:512\"}, {\"ns\": \"7:7\"}],"                \
    "\"mutex.ticket_backoff\": [{\"groups\": 528, \"ns\": \"64:512\"}],"                           \
    "\"semaphore.spin_backoff\": [{\"groups\": 132, \"ns\": \"1:2\"}],"                            \
    "\"semaphore.ticket\": [{\"groups\": 132, \"ns\": \"30\"}, {\"groups\": 2112, \"ns\": "        \
    "\"500\"}]}}}"

/* "": nothing was learnt. */
static void pauses_are(const char *profile, const char *kind, const char *name, const char *groups,
                       const char *expected)
{
    char text[CB_BACKOFF_BYTES] = "untouched";
    cJSON *parsed = cJSON_Parse(profile);
    bool learnt = cb_learnt_backoff(parsed, kind, name, groups, text);
    cJSON_Delete(parsed);
    if (learnt != (*expected != '\0') || (learnt && strcmp(text, expected) != 0))
        fail_msg("%s.%s with %s: %s instead of %s", kind, name, groups, learnt ? text : "nothing",
                 *expected ? expected : "nothing");
}

/* Nearest by ratio: 270 is nearer to 528 than to 132 in a logarithm, though farther in numbers. */
static void test_nearest_level(void **unused)
{
    (void)unused;
    pauses_are(PROFILE, "mutex", "spin_backoff", "N", "128:1024");
    pauses_are(PROFILE, "mutex", "spin_backoff", "N/1", "128:1024");
    pauses_are(PROFILE, "mutex", "spin_backoff", "2112", "128:1024");
    pauses_are(PROFILE, "mutex", "spin_backoff", "N/4", "64:512");
    pauses_are(PROFILE, "mutex", "spin_backoff", "N/16", "32:256");
    pauses_are(PROFILE, "mutex", "spin_backoff", "N/64", "32:256");
    pauses_are(PROFILE, "mutex", "spin_backoff", "1", "32:256");
    pauses_are(PROFILE, "mutex", "spin_backoff", "260", "32:256");
    pauses_are(PROFILE, "mutex", "spin_backoff", "270", "64:512");
    pauses_are(PROFILE, "mutex", "spin_backoff", "1000", "64:512");
    pauses_are(PROFILE, "mutex", "spin_backoff", "1100", "128:1024");
    pauses_are(PROFILE, "semaphore", "ticket", "N/8", "30");
    pauses_are(PROFILE, "semaphore", "ticket", "N/2", "500");
}

static void test_nothing_was_tuned(void **unused)
{
    (void)unused;
    pauses_are(PROFILE, "semaphore", "spin_backoff", "N", "1:2"); /* not the mutex's */
    pauses_are(PROFILE, "semaphore", "optimistic", "N", "");      /* has no levels */
    pauses_are(PROFILE, "mutex", "ticket_backoff", "N", "");      /* has none of its form */
    pauses_are(PROFILE, "mutex", "ticket", "N", "");
    pauses_are(PROFILE, "barrier", "xf", "N", "");
    pauses_are(PROFILE, "mutex", "spin_backoff", "M", "");
    pauses_are("null", "mutex", "spin_backoff", "N", "");
    pauses_are("{}", "mutex", "spin_backoff", "N", "");
    pauses_are("{\"primitives\": {\"occupancy\": 8}}", "mutex", "spin_backoff", "N", "");
    pauses_are("{\"primitives\": {\"backoff\": {\"mutex.spin_backoff\": ["
               "{\"groups\": 8, \"ns\": \"1:2\"}]}}}",
               "mutex", "spin_backoff", "N", "");
    pauses_are("{\"primitives\": {\"occupancy\": 0, \"backoff\": {\"mutex.spin_backoff\": ["
               "{\"groups\": 8, \"ns\": \"1:2\"}]}}}",
               "mutex", "spin_backoff", "N", "");
    pauses_are("{\"primitives\": {\"occupancy\": \"8\", \"backoff\": []}}", "mutex", "spin_backoff",
               "N", "");
    pauses_are("{\"primitives\": {\"occupancy\": 8, \"backoff\": {\"mutex.spin_backoff\": {}}}}",
               "mutex", "spin_backoff", "N", "");
}

/* --- Runs and profiles ------------------------------------------------------------------------ */

static cJSON *run, *profile;

static int setup(void **state)
{
    unsetenv("COOPBENCH_NO_PROFILE");
    if (make_folder(state) != 0 || setenv("COOPBENCH_PROFILE_DIR", folder, 1) != 0)
        return -1;
    run = cJSON_Parse("{\"devices\": [], \"cases\": []}");
    profile = cJSON_CreateObject();
    return !run || !profile;
}

static int teardown(void **state)
{
    cJSON_Delete(run);
    cJSON_Delete(profile);
    return remove_folder(state);
}

/* A case of device "d" that is ok; variant: "section": 1 or "initial": 10 go into the parameters.
 */
static cJSON *add_case(const char *kind, const char *name, const char *groups, double count,
                       int variant, double throughput)
{
    char text[1024];
    const char *option = strcmp(kind, "mutex") == 0       ? "section"
                         : strcmp(kind, "semaphore") == 0 ? "initial"
                                                          : "wg-size";
    snprintf(text, sizeof text,
             "{\"bench\": \"primitives\", \"device\": \"d\", \"status\": \"ok\", \"params\": {"
             "\"kind\": \"%s\", \"primitive\": \"%s\", \"groups\": \"%s\", \"%s\": %d},"
             "\"metrics\": [{\"name\": \"throughput\", \"median\": %.17g},"
             "{\"name\": \"op_time\", \"median\": %.17g}, {\"name\": \"groups\", \"median\": %g}]}",
             kind, name, groups, option, variant, throughput, 1e9 / throughput, count);
    cJSON *item = cJSON_Parse(text);
    assert_non_null(item);
    cJSON_AddItemToArray(cJSON_GetObjectItem(run, "cases"), item);
    return item;
}

/* A case of the tuner. */
static cJSON *add_tuned(const char *kind, const char *name, double count, const char *backoff,
                        double throughput)
{
    cJSON *item = add_case(kind, name, count == 8 ? "N" : "N/2", count,
                           strcmp(kind, "mutex") == 0 ? 1 : 10, throughput);
    cJSON_AddStringToObject(cJSON_GetObjectItem(item, "params"), "backoff", backoff);
    cJSON_AddTrueToObject(cJSON_GetObjectItem(item, "params"), "tune");
    return item;
}

static void set(cJSON *item, const char *key, const char *text)
{
    assert_true(cJSON_ReplaceItemInObject(item, key, cJSON_CreateString(text)));
}

static void add_all(const char *kind, const char *names, const char *groups, double count,
                    int variant, const char *best)
{
    char text[256], *rest = text;
    snprintf(text, sizeof text, "%s", names);
    for (char *name; (name = strtok_r(rest, ",", &rest)) != NULL;)
        add_case(kind, name, groups, count, variant, strcmp(name, best) == 0 ? 1e6 : 1e5);
}

/* Learns, and compares the profile with a text in JSON. */
static void learns(bool learnt, const char *expected)
{
    cJSON *wanted = cJSON_Parse(expected);
    assert_non_null(wanted);
    assert_int_equal(cb_primitives_learn(run, "d", profile), learnt);
    char *text = cJSON_PrintUnformatted(profile);
    if (!cJSON_Compare(profile, wanted, true))
        fail_msg("learnt %s\ninstead of %s", text, expected);
    free(text);
    cJSON_Delete(wanted);
}

/* The best primitive of a kind in the profile; NULL: none. */
static const char *best_of(const char *kind)
{
    return cJSON_GetStringValue(
        cJSON_GetObjectItem(cJSON_GetObjectItem(profile, "primitives"), kind));
}

static void best_is(const char *kind, const char *expected)
{
    const char *best = best_of(kind);
    if (!best)
        fail_msg("no best %s", kind);
    assert_string_equal(best, expected);
}

#define ID(KIND, id, ...) #id ","
#define BARRIERS          CB_BARRIERS(ID)
#define MUTEXES           CB_MUTEXES(ID)
#define SEMAPHORES        CB_SEMAPHORES(ID)

/* --- The compiler's options ------------------------------------------------------------------- */

static void defines(const char *primitives, const char *expected)
{
    char text[128] = "";
    cJSON *parsed = cJSON_Parse(primitives), *about = cJSON_CreateObject();
    FILE *out = fmemopen(text, sizeof text, "w");
    cJSON_AddItemToObject(about, "primitives", parsed);
    cb_primitives_defines(out, about);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, expected);
    cJSON_Delete(about);
}

/* No queue lock, for which a kernel makes no room, and nothing that this program does not know. */
static void test_defines(void **unused)
{
    (void)unused;
    defines("{\"barrier\": \"xf\", \"mutex\": \"ticket\", \"semaphore\": \"spin\"}",
            " -DCB_BARRIER=xf -DCB_MUTEX=ticket -DCB_SEMAPHORE=spin");
    defines("{\"mutex\": \"array\", \"semaphore\": \"optimistic\"}", " -DCB_SEMAPHORE=optimistic");
    defines("{\"barrier\": \"native\", \"mutex\": \"xf\", \"semaphore\": 1}", "");
    defines("[]", "");
    cb_primitives_defines(NULL, NULL); /* no profile */
}

/* --- Learning: pauses ------------------------------------------------------------------------- */

static void test_best_pauses_of_each_level(void **unused)
{
    (void)unused;
    add_tuned("mutex", "spin_backoff", 4, "32:256", 100);
    add_tuned("mutex", "spin_backoff", 8, "32:256", 500);
    add_tuned("semaphore", "ticket", 8, "120", 7);
    add_tuned("mutex", "spin_backoff", 8, "64:512", 400);
    add_tuned("mutex", "spin_backoff", 4, "64:512", 300);
    add_tuned("mutex", "spin_backoff", 4, "128:1024", 200);
    add_tuned("semaphore", "ticket", 8, "30", 6);
    learns(true, "{\"primitives\": {\"occupancy\": 8, \"backoff\": {"
                 "\"mutex.spin_backoff\": ["
                 "{\"asked\": \"N/2\", \"groups\": 4, \"ns\": \"64:512\", \"throughput\": 300},"
                 "{\"asked\": \"N\", \"groups\": 8, \"ns\": \"32:256\", \"throughput\": 500}],"
                 "\"semaphore.ticket\": [{\"asked\": \"N\", \"groups\": 8, \"ns\": \"120\", "
                 "\"throughput\": 7}]}}}");
    char text[CB_BACKOFF_BYTES];
    assert_true(cb_learnt_backoff(profile, "mutex", "spin_backoff", "N/2", text));
    assert_string_equal(text, "64:512");
}

/* The best counts, wherever it stands. */
static void test_the_first_and_the_last_may_be_best(void **unused)
{
    (void)unused;
    add_tuned("semaphore", "optimistic", 8, "1:2", 3);
    add_tuned("semaphore", "optimistic", 8, "3:4", 1);
    add_tuned("semaphore", "optimistic", 8, "5:6", 2);
    add_tuned("semaphore", "spin_backoff", 8, "1:2", 1);
    add_tuned("semaphore", "spin_backoff", 8, "3:4", 2);
    add_tuned("semaphore", "spin_backoff", 8, "5:6", 3);
    learns(true, "{\"primitives\": {\"occupancy\": 8, \"backoff\": {"
                 "\"semaphore.optimistic\": [{\"asked\": \"N\", \"groups\": 8, \"ns\": \"1:2\", "
                 "\"throughput\": 3}],"
                 "\"semaphore.spin_backoff\": ["
                 "{\"asked\": \"N\", \"groups\": 8, \"ns\": \"5:6\", \"throughput\": 3}]}}}");
}

/* A case of the tuner with the optimistic semaphore. */
static void add_optimistic(int initial, const char *backoff, double throughput)
{
    cJSON *params =
        cJSON_GetObjectItem(add_tuned("semaphore", "optimistic", 8, backoff, throughput), "params");
    assert_true(cJSON_ReplaceItemInObject(params, "initial", cJSON_CreateNumber(initial)));
}

#define OPTIMISTIC(ns, throughput)                                                                 \
    "{\"primitives\": {\"occupancy\": 8, \"backoff\": {\"semaphore.optimistic\": ["                \
    "{\"asked\": \"N\", \"groups\": 8, \"ns\": \"" ns "\", \"throughput\": " throughput "}]}}}"

/* Of all initial values together, by ratios; the throughput that is kept is that of 10. */
static void test_pauses_that_are_good_for_all_initial_values(void **unused)
{
    (void)unused;
    add_optimistic(1, "1:2", 10);
    add_optimistic(10, "1:2", 500);
    add_optimistic(10, "3:4", 110);
    add_optimistic(1, "3:4", 100);
    add_optimistic(1, "5:6", 20);
    add_optimistic(10, "5:6", 400);
    learns(true, OPTIMISTIC("3:4", "110"));
    add_optimistic(10, "7:8", 9e9); /* with 1, it failed */
    learns(true, OPTIMISTIC("3:4", "110"));
    add_optimistic(1, "9:10", 1000);
    add_optimistic(10, "9:10", 50);
    learns(true, OPTIMISTIC("9:10", "50"));
}

/* What the kernels do without being told stays, unless others are better by more than noise. */
static void test_built_in_pauses_are_preferred(void **unused)
{
    (void)unused;
    add_optimistic(10, "1:2", 1010);
    add_optimistic(10, CB_BUILT_IN_PAUSES, 1000);
    add_optimistic(10, "3:4", 1010);
    learns(true, OPTIMISTIC(CB_BUILT_IN_PAUSES, "1000"));
    add_optimistic(10, "5:6", 1100);
    learns(true, OPTIMISTIC("5:6", "1100"));
    cJSON_DeleteItemFromObject(run, "cases");
    cJSON_AddArrayToObject(run, "cases");
    cJSON_DeleteItemFromObject(profile, "primitives");
    add_tuned("mutex", "ticket_backoff", 8, CB_BUILT_IN_PLACE, 1000);
    add_tuned("mutex", "ticket_backoff", 8, "30", 1010);
    learns(true, "{\"primitives\": {\"occupancy\": 8, \"backoff\": {\"mutex.ticket_backoff\": ["
                 "{\"asked\": \"N\", \"groups\": 8, \"ns\": \"" CB_BUILT_IN_PLACE
                 "\", \"throughput\": 1000}]}}}");
}

/* Discovery may find fewer workgroups for some pauses: it is the same level all the same. */
static void test_a_level_is_what_was_asked_for(void **unused)
{
    (void)unused;
    add_tuned("mutex", "ticket_backoff", 8, "30", 2);
    set(cJSON_GetObjectItem(add_tuned("mutex", "ticket_backoff", 7, "60", 3), "params"), "groups",
        "N");
    assert_true(cb_primitives_learn(run, "d", profile));
    const cJSON *section = cJSON_GetObjectItem(profile, "primitives");
    const cJSON *levels =
        cJSON_GetObjectItem(cJSON_GetObjectItem(section, "backoff"), "mutex.ticket_backoff");
    assert_int_equal(cJSON_GetArraySize(levels), 1);
    assert_string_equal(cJSON_GetObjectItem(levels->child, "asked")->valuestring, "N");
    assert_string_equal(cJSON_GetObjectItem(levels->child, "ns")->valuestring, "60");
    assert_true(cJSON_GetObjectItem(section, "occupancy")->valuedouble == 8);
}

static void test_only_what_the_tuner_measured_here(void **unused)
{
    (void)unused;
    add_tuned("mutex", "ticket_backoff", 4, "30", 100);
    set(add_tuned("mutex", "ticket_backoff", 4, "60", 900), "status", "timeout");
    set(add_tuned("mutex", "ticket_backoff", 4, "120", 900), "status", "verify_failed");
    set(add_tuned("mutex", "ticket_backoff", 4, "180", 900), "device", "other");
    set(add_tuned("mutex", "ticket_backoff", 8, "250", 900), "bench", "memory");
    cJSON *given = add_tuned("mutex", "ticket_backoff", 4, "350", 900);
    cJSON_DeleteItemFromObject(cJSON_GetObjectItem(given, "params"), "tune");
    learns(true, "{\"primitives\": {\"occupancy\": 4, \"backoff\": {\"mutex.ticket_backoff\": ["
                 "{\"asked\": \"N/2\", \"groups\": 4, \"ns\": \"30\", \"throughput\": 100}]}}}");
}

static void test_nothing_to_learn(void **unused)
{
    (void)unused;
    cJSON_AddNumberToObject(cJSON_AddObjectToObject(profile, "memory"), "x", 1);
    learns(false, "{\"memory\": {\"x\": 1}}"); /* no case */
    add_all("mutex", MUTEXES, "N", 8, 1, "array");
    add_all("barrier", BARRIERS, "N", 8, 0, "xf");
    learns(false, "{\"memory\": {\"x\": 1}}"); /* none of the tuner */
    set(add_tuned("mutex", "spin_backoff", 8, "1:2", 5), "status", "error");
    learns(false, "{\"memory\": {\"x\": 1}}"); /* none that is ok */
    set(add_tuned("mutex", "spin_backoff", 8, "1:2", 5), "device", "other");
    learns(false, "{\"memory\": {\"x\": 1}}"); /* none of this device */
}

/* What was learnt before stays, unless it is learnt anew; so do other benches' sections. */
static void test_older_runs(void **unused)
{
    (void)unused;
    cJSON_Delete(profile);
    profile = cJSON_Parse(
        "{\"memory\": {\"x\": 1}, \"primitives\": {\"occupancy\": 8, \"barrier\": \"patient\","
        "\"mutex\": \"spin\", \"backoff\": {"
        "\"mutex.ticket_backoff\": [{\"asked\": \"N\", \"groups\": 8, \"ns\": \"30\", "
        "\"throughput\": 1}],"
        "\"mutex.spin_backoff\": [{\"asked\": \"N\", \"groups\": 8, \"ns\": \"1:2\", "
        "\"throughput\": 9000}]}}}");
    assert_non_null(profile);
    add_tuned("mutex", "spin_backoff", 8, "3:4", 10);
    const char *expected =
        "{\"memory\": {\"x\": 1}, \"primitives\": {\"occupancy\": 8, \"barrier\": \"patient\","
        "\"mutex\": \"spin\", \"backoff\": {"
        "\"mutex.ticket_backoff\": [{\"asked\": \"N\", \"groups\": 8, \"ns\": \"30\", "
        "\"throughput\": 1}],"
        "\"mutex.spin_backoff\": [{\"asked\": \"N\", \"groups\": 8, \"ns\": \"3:4\", "
        "\"throughput\": 10}]}}}";
    learns(true, expected);
    learns(true, expected); /* nothing is there twice */
    const cJSON *section = cJSON_GetObjectItem(profile, "primitives");
    assert_int_equal(cJSON_GetArraySize(section), 4);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(section, "backoff")), 2);
}

/* --- Learning: the best ----------------------------------------------------------------------- */

static void test_best_of_all_implementations(void **unused)
{
    (void)unused;
    add_all("barrier", BARRIERS, "N", 8, 0, "broadcast");
    add_all("mutex", MUTEXES, "N", 8, 1, "array");
    add_all("semaphore", SEMAPHORES, "N", 8, 10, "sleeping");
    add_tuned("mutex", "spin_backoff", 8, "1:2", 1);
    assert_true(cb_primitives_learn(run, "d", profile));
    best_is("barrier", "broadcast");
    best_is("mutex", "array");
    best_is("semaphore", "sleeping");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(profile, "primitives")), 5);
}

/* Pauses that were found in this run may make another one the best: at full contention, and of the
 * same kind. */
static void test_best_with_new_pauses(void **unused)
{
    (void)unused;
    add_all("mutex", MUTEXES, "N", 8, 1, "array"); /* 1e6 */
    add_tuned("mutex", "ticket_backoff", 4, "30", 9e9);
    add_tuned("semaphore", "spin_backoff", 8, "1:2", 9e9);
    add_tuned("mutex", "ticket_backoff", 8, "30", 9e5);
    assert_true(cb_primitives_learn(run, "d", profile));
    best_is("mutex", "array");
    add_tuned("mutex", "spin_backoff", 8, "1:2", 2e6);
    add_tuned("mutex", "ticket_backoff", 8, "60", 3e6);
    assert_true(cb_primitives_learn(run, "d", profile));
    best_is("mutex", "ticket_backoff");
}

/* Leaves a name out of a list. */
static char *without(char *list, const char *name)
{
    memset(strstr(list, name), ',', strlen(name));
    return list;
}

/* Among some implementations none is the best; the native barrier is not one of them. */
static void test_no_best_of_some(void **unused)
{
    (void)unused;
    char barriers[] = BARRIERS "native", mutexes[] = MUTEXES, semaphores[] = SEMAPHORES;
    add_tuned("mutex", "spin_backoff", 8, "1:2", 1);
    add_all("barrier", without(barriers, "patient"), "N", 8, 0, "xf");
    add_all("mutex", without(mutexes, "array"), "N", 8, 1, "ticket");
    add_all("semaphore", without(semaphores, "spin_backoff"), "N", 8, 10, "ticket");
    assert_true(cb_primitives_learn(run, "d", profile));
    assert_null(best_of("barrier"));
    assert_null(best_of("mutex"));
    assert_null(best_of("semaphore"));
    add_all("mutex", "array", "N", 8, 1, "");
    add_all("barrier", "patient", "N", 8, 0, "");
    assert_true(cb_primitives_learn(run, "d", profile));
    best_is("barrier", "xf");
    best_is("mutex", "ticket");
    assert_null(best_of("semaphore"));
}

/* At full contention, with one increment, and of semaphores that ten may be in. */
static void test_what_the_best_is_best_at(void **unused)
{
    (void)unused;
    add_tuned("mutex", "spin_backoff", 8, "1:2", 1);
    add_all("barrier", BARRIERS, "1", 1, 0, "xf");
    add_all("barrier", BARRIERS, "N/4", 2, 0, "counter");
    add_all("barrier", BARRIERS, "N", 8, 0, "patient");
    add_case("barrier", "native", "N", 8, 0, 9e9);
    add_all("mutex", MUTEXES, "N", 8, 0, "spin");
    add_all("mutex", MUTEXES, "N", 8, 1, "ticket");
    add_all("semaphore", SEMAPHORES, "N", 8, 1, "spin");
    assert_true(cb_primitives_learn(run, "d", profile));
    best_is("barrier", "patient");
    best_is("mutex", "ticket");
    assert_null(best_of("semaphore"));
    add_all("semaphore", SEMAPHORES, "N", 8, 10, "optimistic");
    add_all("semaphore", SEMAPHORES, "N", 8, 120, "sleeping");
    assert_true(cb_primitives_learn(run, "d", profile));
    best_is("semaphore", "optimistic");
}

static void test_best_of_another_device(void **unused)
{
    (void)unused;
    cJSON *item;
    add_all("mutex", MUTEXES, "N", 8, 1, "ticket");
    cJSON_ArrayForEach (item, cJSON_GetObjectItem(run, "cases"))
        set(item, "device", "other");
    add_tuned("mutex", "spin_backoff", 8, "1:2", 1);
    assert_true(cb_primitives_learn(run, "d", profile));
    assert_null(best_of("mutex"));
}

/* --- The report ------------------------------------------------------------------------------- */

static char *report(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    cb_primitives_report(out, run);
    fclose(out);
    return text;
}

/* What `coopbench memory` predicted is in the run, and not in the profile of the reader. */
static void test_prediction_of_the_run(void **unused)
{
    (void)unused;
    const struct cb_device device = {
        .id = "d", .name = "Device", .driver_version = "1", .compute_units = 8};
    char path[512];
    struct cb_err err;
    cJSON *kept, *mine = cb_device_to_json(&device);
    cJSON_AddItemToArray(cJSON_GetObjectItem(run, "devices"), mine);
    add_all("mutex", MUTEXES, "N", 8, 1, "ticket");
    assert_int_equal(cb_profile_load(&device, &kept, &err), CB_OK);
    cJSON *memory = cJSON_AddObjectToObject(kept, "memory");
    cJSON_AddItemToObject(memory, "prediction",
                          cJSON_Parse("{\"mutex\": {\"low\": \"spin\", \"full\": \"ticket\"}}"));
    if (cb_profile_save(&device, kept, path, &err) != CB_OK)
        fail_msg("%s", err.text);
    char *text = report();
    assert_non_null(
        strstr(text, "\nNo prediction: run 'coopbench memory' on this device first.\n"));
    free(text);

    cJSON_AddItemToObject(mine, "profile", kept);
    assert_int_equal(unlink(path), 0);
    text = report();
    if (!strstr(text, "| predicted        | spin: cannot tell             | ticket: cannot tell "))
        fail_msg("%s", text);
    assert_non_null(strstr(text, "\nPredictions of 'coopbench memory': 0 right, 0 wrong, 2 where"));
    free(text);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_form_of_a_primitive),
        cmocka_unit_test(test_form_of_a_text),
        cmocka_unit_test(test_nearest_level),
        cmocka_unit_test(test_nothing_was_tuned),
        cmocka_unit_test(test_defines),
        TEST(test_best_pauses_of_each_level),
        TEST(test_the_first_and_the_last_may_be_best),
        TEST(test_pauses_that_are_good_for_all_initial_values),
        TEST(test_built_in_pauses_are_preferred),
        TEST(test_a_level_is_what_was_asked_for),
        TEST(test_only_what_the_tuner_measured_here),
        TEST(test_nothing_to_learn),
        TEST(test_older_runs),
        TEST(test_best_of_all_implementations),
        TEST(test_best_with_new_pauses),
        TEST(test_no_best_of_some),
        TEST(test_what_the_best_is_best_at),
        TEST(test_best_of_another_device),
        TEST(test_prediction_of_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
