/* SPDX-License-Identifier: Apache-2.0 */
#include "checks.h"
#include "random_fixture.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "measure/param.h"
#include "measure/text/nearest.h"

enum { FLAG, RUNS, SEED, RCI, TIME, PROTOCOL, PLACE, DELAY, GLOB };

static const struct cb_param table[] = {
    [FLAG] = {.name = "quiet", .into.kind = CB_FIELD_FLAG},
    [RUNS] = {.name = "runs",
              .into.kind = CB_FIELD_UINT,
              .default_value = "10",
              .min = 1,
              .max = 100000},
    [SEED] = {.name = "seed", .into.kind = CB_FIELD_UINT},
    [RCI] = {.name = "max-rci", .into.kind = CB_FIELD_REAL, .min = 0.01, .max = 100},
    [TIME] = {.name = "max-time", .into.kind = CB_FIELD_REAL, .default_value = "2.5", .min = 0.5},
    [PROTOCOL] = {.name = "protocol",
                  .into.kind = CB_FIELD_TEXTS,
                  .default_value = "ticket,spin",
                  .choices = "ticket,spin,lockfree"},
    [PLACE] = {.name = "launch", .into.kind = CB_FIELD_TEXT},
    [DELAY] = {.name = "delay", .into.kind = CB_FIELD_TEXTS},
    [GLOB] = {.name = "filter", .into.kind = CB_FIELD_TEXTS, .list = CB_LIST_REPEAT},
    {0},
};

static void accepts(int row, const char *value)
{
    struct cb_err err = {CB_OK, ""};
    if (cb_param_check(&table[row], value, &err) != CB_OK)
        fail_msg("\"%s\": %s", value, err.text);
}

static void refuses(int row, const char *value, const char *text)
{
    struct cb_err err = {CB_OK, ""};
    assert_int_equal(cb_param_check(&table[row], value, &err), CB_USAGE);
    assert_int_equal(err.status, CB_USAGE);
    assert_string_equal(err.text, text);
    assert_int_equal(cb_param_check(&table[row], value, NULL), CB_USAGE);
}

/* --- One value -------------------------------------------------------------------------------- */

TEST(uint)
{
    accepts(RUNS, "1");
    accepts(RUNS, "100000");
    accepts(RUNS, "007");
    accepts(SEED, "0");
    accepts(SEED, "18446744073709551615");
    static const char *const wrong[] = {"",     "abc", "0",   "100001", "-1",
                                        "+1",   " 1",  "1 ",  "1\n",    "1x",
                                        "0x10", "1.0", "1e3", "1,2",    "18446744073709551616"};
    for (size_t i = 0; i < CB_COUNTOF(wrong); i++) {
        char text[128];
        snprintf(text, sizeof text, "expected an integer from 1 to 100000, got \"%s\"", wrong[i]);
        refuses(RUNS, wrong[i], text);
    }
    refuses(SEED, "18446744073709551616",
            "expected an integer from 0 to 18446744073709551615, got \"18446744073709551616\"");
    refuses(SEED, "-1", "expected an integer from 0 to 18446744073709551615, got \"-1\"");
}

TEST(real)
{
    accepts(RCI, "0.01");
    accepts(RCI, "100");
    accepts(RCI, "1e1");
    accepts(RCI, ".5");
    accepts(TIME, "1e300");
    static const char *const wrong[] = {"",      "abc",   "0",   "0.009", "100.01", "-1",
                                        "+1",    " 1",    "1 ",  "nan",   "inf",    "0x1p1",
                                        "1e999", "1.2.3", "1,5", "-",     "e",      "."};
    for (size_t i = 0; i < CB_COUNTOF(wrong); i++) {
        char text[128];
        snprintf(text, sizeof text, "expected a number from 0.01 to 100, got \"%s\"", wrong[i]);
        refuses(RCI, wrong[i], text);
    }
    refuses(TIME, "0.4", "expected a number of at least 0.5, got \"0.4\"");
}

TEST(choice)
{
    accepts(PROTOCOL, "ticket");
    accepts(PROTOCOL, "spin");
    accepts(PROTOCOL, "lockfree");
    refuses(PROTOCOL, "tiket",
            "expected one of ticket, spin, lockfree, got \"tiket\" (did you mean \"ticket\"?)");
    refuses(PROTOCOL, "Spin",
            "expected one of ticket, spin, lockfree, got \"Spin\" (did you mean \"spin\"?)");
    refuses(PROTOCOL, "lock",
            "expected one of ticket, spin, lockfree, got \"lock\" (did you mean \"lockfree\"?)");
    refuses(PROTOCOL, "mcs", "expected one of ticket, spin, lockfree, got \"mcs\"");
    refuses(PROTOCOL, "", "expected one of ticket, spin, lockfree, got \"\"");
    refuses(PROTOCOL, "ticket,spin", "expected one of ticket, spin, lockfree, got \"ticket,spin\"");
    refuses(PROTOCOL, ",", "expected one of ticket, spin, lockfree, got \",\"");
}

TEST(text_and_flag)
{
    accepts(PLACE, "x");
    accepts(PLACE, "a,b");
    refuses(PLACE, "", "expected a text that is not empty, got \"\"");
    accepts(FLAG, "true");
    accepts(FLAG, "false");
    refuses(FLAG, "yes", "expected true or false, got \"yes\"");
}

/* A long value is cut, so that the message stays readable. */
TEST(long_value)
{
    char value[10001];
    memset(value, 'x', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    struct cb_err err;
    assert_int_equal(cb_param_check(&table[PROTOCOL], value, &err), CB_USAGE);
    assert_true(strlen(err.text) < 200);
    assert_int_equal(cb_param_check(&table[RUNS], value, &err), CB_USAGE);
    assert_true(strlen(err.text) < 200);
}

TEST(find)
{
    assert_ptr_equal(cb_param_find(table, "runs"), &table[RUNS]);
    assert_ptr_equal(cb_param_find(table, "quiet"), &table[FLAG]);
    assert_null(cb_param_find(table, "Runs"));
    assert_null(cb_param_find(table, ""));
    assert_null(cb_param_find(NULL, "runs"));
}

/* --- Options objects -------------------------------------------------------------------------- */

static void set(cJSON *options, int row, const char *text)
{
    struct cb_err err;
    if (cb_options_set(options, &table[row], text, &err) != CB_OK)
        fail_msg("%s", err.text);
}

TEST(set_and_get)
{
    cJSON *options = cJSON_CreateObject();
    set(options, FLAG, "true");
    set(options, SEED, "18446744073709551615");
    set(options, TIME, "1.5");
    set(options, PROTOCOL, "spin,lockfree");
    set(options, PLACE, "a,b");
    assert_json(options, "{\"quiet\":[\"true\"],\"seed\":[\"18446744073709551615\"],"
                         "\"max-time\":[\"1.5\"],\"protocol\":[\"spin\",\"lockfree\"],"
                         "\"launch\":[\"a,b\"]}");
    assert_true(cb_options_flag(options, "quiet"));
    assert_string_equal(cb_options_text(options, "seed", 0), "18446744073709551615");
    assert_string_equal(cb_options_text(options, "max-time", 0), "1.5");
    assert_int_equal(cb_options_count(options, "protocol"), 2);
    assert_string_equal(cb_options_text(options, "protocol", 0), "spin");
    assert_string_equal(cb_options_text(options, "protocol", 1), "lockfree");
    assert_null(cb_options_text(options, "protocol", 2));
    assert_null(cb_options_text(options, "protocol", -1));
    cJSON_Delete(options);
}

TEST(commas_that_belong_to_a_value)
{
    cJSON *options = cJSON_CreateObject();
    set(options, GLOB, "a,b*");
    assert_json(options, "{\"filter\":[\"a,b*\"]}");
    assert_true(cb_param_splits(&table[DELAY]));
    assert_false(cb_param_splits(&table[GLOB]) || cb_param_splits(&table[PLACE]));
    cJSON_Delete(options);
}

static void check_nothing_there(const cJSON *options)
{
    assert_int_equal(cb_options_count(options, "runs"), 0);
    assert_null(cb_options_text(options, "runs", 0));
    assert_false(cb_options_flag(options, "quiet"));
}

TEST(get_what_is_not_there)
{
    cJSON *options = cJSON_CreateObject();
    check_nothing_there(options);
    check_nothing_there(NULL);
    set(options, FLAG, "false");
    assert_false(cb_options_flag(options, "quiet"));
    cJSON_Delete(options);
}

TEST(set_replaces)
{
    cJSON *options = cJSON_CreateObject();
    set(options, PROTOCOL, "spin,lockfree");
    set(options, PROTOCOL, "ticket");
    set(options, RUNS, "5");
    set(options, RUNS, "6");
    assert_json(options, "{\"protocol\":[\"ticket\"],\"runs\":[\"6\"]}");
    cJSON_Delete(options);
}

TEST(wrong_value_changes_nothing)
{
    static const struct {
        int row;
        const char *text, *error;
    } wrong[] = {
        {RUNS, "0", "expected an integer from 1 to 100000, got \"0\""},
        {RUNS, "1,2", "expected an integer from 1 to 100000, got \"1,2\""},
        {PROTOCOL, "ticket,mcs", "expected one of ticket, spin, lockfree, got \"mcs\""},
        {PROTOCOL, "", "expected values separated by commas, none of them empty, got \"\""},
        {DELAY, "a,,b", "expected values separated by commas, none of them empty, got \"a,,b\""},
        {DELAY, ",a", "expected values separated by commas, none of them empty, got \",a\""},
        {DELAY, "a,", "expected values separated by commas, none of them empty, got \"a,\""},
        {DELAY, ",", "expected values separated by commas, none of them empty, got \",\""},
    };
    cJSON *options = cJSON_CreateObject();
    set(options, RUNS, "5");
    set(options, PROTOCOL, "spin");
    for (size_t i = 0; i < CB_COUNTOF(wrong); i++) {
        struct cb_err err;
        assert_int_equal(cb_options_set(options, &table[wrong[i].row], wrong[i].text, &err),
                         CB_USAGE);
        assert_string_equal(err.text, wrong[i].error);
    }
    assert_json(options, "{\"runs\":[\"5\"],\"protocol\":[\"spin\"]}");
    cJSON_Delete(options);
}

/* One that stands in the place of another one. */
TEST(complete_instead)
{
    static const struct cb_param two[] = {
        {.name = "app", .into.kind = CB_FIELD_TEXT, .default_value = "all"},
        {.name = "kernel", .into.kind = CB_FIELD_TEXT, .instead_of = "app"},
        {0},
    };
    cJSON *options = cJSON_CreateObject();
    cb_options_complete(options, two);
    assert_json(options, "{\"app\":[\"all\"]}");
    cJSON_DeleteItemFromObject(options, "app");
    assert_int_equal(cb_options_set(options, &two[1], "ring.cl", NULL), CB_OK);
    cb_options_complete(options, two);
    assert_json(options, "{\"kernel\":[\"ring.cl\"]}");
    assert_false(cb_options_lack(options, two, &two[0]));
    cJSON_Delete(options);
}

TEST(complete)
{
    cJSON *options = cJSON_CreateObject();
    set(options, RUNS, "3");
    cb_options_complete(options, table);
    assert_json(options, "{\"runs\":[\"3\"],\"max-time\":[\"2.5\"],"
                         "\"protocol\":[\"ticket\",\"spin\"]}");
    cb_options_complete(options, NULL);
    cJSON_Delete(options);
}

/* --- The nearest word ------------------------------------------------------------------------- */

static void nearest_is(const char *word, const char *choices, const char *expected)
{
    char buffer[64];
    const char *got = cb_nearest_choice(word, choices, buffer, sizeof buffer);
    if (!expected && got)
        fail_msg("\"%s\" is said to be near \"%s\"", word, got);
    if (expected && (!got || strcmp(got, expected) != 0))
        fail_msg("\"%s\": got %s, expected %s", word, got ? got : "nothing", expected);
}

TEST(nearest_edits)
{
    nearest_is("tiket", "spin,ticket", "ticket");   /* deleted */
    nearest_is("ticcket", "spin,ticket", "ticket"); /* inserted */
    nearest_is("tocket", "spin,ticket", "ticket");  /* replaced */
    nearest_is("tikcet", "spin,ticket", "ticket");  /* swapped: one edit, not two */
    nearest_is("pisn", "spin,ticket", NULL);        /* two swaps in a short word */
    nearest_is("TICKET", "spin,ticket", "ticket");  /* case does not count */
    nearest_is("ticket", "Ticket,spin", "Ticket");
    nearest_is("loxkfrew", "ticket,lockfree", "lockfree"); /* two edits in eight letters */
    nearest_is("loxxfrew", "ticket,lockfree", NULL);       /* three */
    nearest_is("rnus", "runs", "runs");
}

TEST(nearest_prefix)
{
    nearest_is("out", "runs,output-dir", "output-dir");
    nearest_is("OUT", "runs,output-dir", "output-dir");
    nearest_is("ou", "runs,output-dir", NULL);
    nearest_is("run", "run-deadline,runs", "runs");     /* the nearer of two */
    nearest_is("max", "max-runs,max-time", "max-runs"); /* the first of equals */
}

TEST(nearest_limits)
{
    nearest_is("", "a,b", NULL);
    nearest_is("x", "a,b", NULL); /* nothing in common */
    nearest_is("1", "11,L1", "11");
    nearest_is("a", "", NULL);
    char word[200], small[4];
    memset(word, 'a', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    nearest_is(word, "a,aaaa", NULL);
    nearest_is("aaaa", word, NULL);
    assert_null(cb_nearest_choice("tiket", "ticket", small, sizeof small));
}

/* One random edit of word: a letter deleted, doubled, replaced or swapped with the next. */
static void misspell(char *to, const char *word)
{
    size_t length = strlen(word), at = (size_t)(cb_random_next(&dice) % (length - 1));
    strcpy(to, word);
    switch (cb_random_next(&dice) % 4) {
    case 0:
        memmove(to + at, to + at + 1, length - at);
        break;
    case 1:
        memmove(to + at + 1, to + at, length - at + 1);
        break;
    case 2:
        to[at] = (char)('a' + cb_random_next(&dice) % 26);
        break;
    default:
        to[at] = word[at + 1];
        to[at + 1] = word[at];
    }
}

TEST(nearest_finds_any_misspelling)
{
    static const char *const words[] = {"ticket", "spin", "lockfree", "output-dir"};
    seed_random(NULL);
    for (int round = 0; round < 5000; round++) {
        const char *word = words[cb_random_next(&dice) % CB_COUNTOF(words)];
        char misspelt[32];
        misspell(misspelt, word);
        nearest_is(misspelt, "ticket,spin,lockfree,output-dir", word);
    }
}

TEST(uint_keeps_all_64_bits)
{
    seed_random(NULL);
    cJSON *options = cJSON_CreateObject();
    for (int round = 0; round < 1000; round++) {
        uint64_t value = cb_random_next(&dice) >> (cb_random_next(&dice) % 64);
        char text[32];
        snprintf(text, sizeof text, "%" PRIu64, value);
        set(options, SEED, text);
        assert_string_equal(cb_options_text(options, "seed", 0), text);
    }
    cJSON_Delete(options);
}
