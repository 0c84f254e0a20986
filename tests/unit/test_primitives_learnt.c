/* SPDX-License-Identifier: Apache-2.0
 *
 * Forms of pauses, and what is read from a profile: pauses for a level, defaults for kernels.
 */
#include "primitives_learnt_fixture.h"
#include "tests/unit/unit.h"

/* --- Forms ------------------------------------------------------------------------------------ */

TEST(form_of_a_primitive)
{
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

TEST(form_of_a_text)
{
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
static void pauses_are(const char *json, const char *kind, const char *name, const char *groups,
                       const char *expected)
{
    char text[CB_BACKOFF_BYTES] = "untouched";
    cJSON *parsed = cJSON_Parse(json);
    bool learnt = cb_learnt_backoff(parsed, kind, name, groups, text);
    cJSON_Delete(parsed);
    if (learnt != (*expected != '\0') || (learnt && strcmp(text, expected) != 0))
        fail_msg("%s.%s with %s: %s instead of %s", kind, name, groups, learnt ? text : "nothing",
                 *expected ? expected : "nothing");
}

/* Nearest by ratio: 270 is nearer to 528 than to 132 in a logarithm, though farther in numbers. */
TEST(nearest_level)
{
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

TEST(nothing_was_tuned)
{
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
TEST(defines)
{
    defines("{\"barrier\": \"xf\", \"mutex\": \"ticket\", \"semaphore\": \"spin\"}",
            " -DCB_BARRIER=xf -DCB_MUTEX=ticket -DCB_SEMAPHORE=spin");
    defines("{\"mutex\": \"array\", \"semaphore\": \"optimistic\"}", " -DCB_SEMAPHORE=optimistic");
    defines("{\"barrier\": \"native\", \"mutex\": \"xf\", \"semaphore\": 1}", "");
    defines("[]", "");
    cb_primitives_defines(NULL, NULL); /* no profile */
}
