/* SPDX-License-Identifier: Apache-2.0
 *
 * Cooperative traces as Perfetto and gnuplot read them.
 */
#include "coop_trace_model.h"
#include "tests/unit/unit.h"

#include <cjson/cJSON.h>

static char *exported(uint32_t capacity, bool perfetto)
{
    char *text = NULL;
    size_t size = 0;
    struct cb_trace trace = make_trace(capacity);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    if (perfetto)
        cb_trace_write_perfetto(out, &trace, "a \"quoted\\ title\n");
    else
        cb_trace_write_gantt(out, &trace);
    fclose(out);
    free_trace(&trace);
    return text;
}

static int count_items(const cJSON *events, const char *ph, const char *name)
{
    int n = 0;
    const cJSON *e;
    cJSON_ArrayForEach (e, events) {
        const char *is = cJSON_GetStringValue(cJSON_GetObjectItem(e, "ph"));
        const char *called = cJSON_GetStringValue(cJSON_GetObjectItem(e, "name"));
        assert_non_null(is);
        assert_non_null(called);
        n += strcmp(is, ph) == 0 && strncmp(called, name, strlen(name)) == 0;
    }
    return n;
}

TEST(perfetto)
{
    build_barriers();
    char *text = exported(MAX_EVENTS, true);
    cJSON *document = cJSON_Parse(text);
    assert_non_null(document);
    const cJSON *events = cJSON_GetObjectItem(document, "traceEvents");
    assert_int_equal(count_items(events, "X", "phase "), 4 + 4 + 2 + 4);
    assert_int_equal(count_items(events, "X", "resizing barrier "), 4 + 4 + 2);
    assert_int_equal(count_items(events, "X", "barrier 3"), 4);
    assert_int_equal(count_items(events, "X", "task 1 share "), 2);
    assert_int_equal(count_items(events, "X", "pool"), 4);
    assert_int_equal(count_items(events, "X", "gather for task 1"), 1);
    assert_int_equal(count_items(events, "X", ""), 14 + 10 + 4 + 2 + 4 + 2);
    assert_int_equal(count_items(events, "i", "kill"), 2);
    assert_int_equal(count_items(events, "i", "fork 2"), 1);
    assert_int_equal(count_items(events, "i", "join from 0"), 2);
    assert_int_equal(count_items(events, "C", "active workgroups"), 4);
    assert_int_equal(count_items(events, "M", "thread_name"), 5);
    const cJSON *last = cJSON_GetArrayItem(events, cJSON_GetArraySize(events) - 1);
    assert_string_equal(
        cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(last, "args"), "name")),
        "a \"quoted\\ title\n");
    cJSON_Delete(document);
    free(text);
}

TEST(perfetto_of_children)
{
    build_children();
    char *text = exported(MAX_EVENTS, true);
    cJSON *document = cJSON_Parse(text);
    assert_non_null(document);
    const cJSON *events = cJSON_GetObjectItem(document, "traceEvents");
    assert_int_equal(count_items(events, "X", "child share "), 6);
    assert_int_equal(count_items(events, "X", "child share 1 at place 0"), 1);
    assert_int_equal(count_items(events, "X", "await children"), 3); /* before, between, after */
    assert_int_equal(count_items(events, "X", "phase "), 4);
    assert_int_equal(count_items(events, "X", "task 1 share "), 1);
    cJSON_Delete(document);
    free(text);
}

/* `regular` and `query` note a barrier that does not resize like this one. */
TEST(perfetto_of_a_late_barrier)
{
    reset(2);
    begin_run(2);
    barrier(COOP_BARRIER_LATE, 2);
    end_run();
    char *text = exported(MAX_EVENTS, true);
    cJSON *document = cJSON_Parse(text);
    assert_non_null(document);
    const cJSON *events = cJSON_GetObjectItem(document, "traceEvents");
    assert_int_equal(count_items(events, "X", "barrier 0"), 2);
    assert_int_equal(count_items(events, "X", "resizing"), 0);
    cJSON_Delete(document);
    free(text);
}

TEST(perfetto_of_any)
{
    for (int i = 0; i < 100; i++) {
        random_trace();
        char *text = exported(cb_random_below(&dice, 60), true);
        cJSON *document = cJSON_Parse(text);
        assert_non_null(document);
        cJSON_Delete(document);
        free(text);
    }
    reset(2);
    char *text = exported(0, true);
    cJSON *document = cJSON_Parse(text);
    assert_non_null(document);
    cJSON_Delete(document);
    free(text);
}

TEST(gantt)
{
    reset(2); /* events are 0.1 us apart */
    begin_run(2);
    barrier(1, 1);
    run_task(1, 1);
    fork_from(0, 1);
    end_run();
    char *text = exported(MAX_EVENTS, false);
    assert_string_equal(text, "# slot\tstart_ms\tend_ms\tkind\n"
                              "0\t0.000300\t0.000600\t1\n"
                              "0\t0.000100\t0.001500\t0\n"
                              "1\t0.000200\t0.000500\t0\n"
                              "1\t0.000400\t0.000500\t1\n"
                              "1\t0.000500\t0.001000\t3\n"
                              "1\t0.001000\t0.001100\t2\n"
                              "1\t0.001400\t0.001600\t0\n"
                              "\n\n# time_ms\tactive_workgroups\n"
                              "0\t0\n"
                              "0.000000\t2\n"
                              "0.000600\t1\n"
                              "0.001300\t2\n"
                              "0.001700\t0\n"
                              "\n\n# time_ms\tslot\tkind\n"
                              "0.001300\t0\t1\n"
                              "0.000500\t1\t0\n"
                              "0.001400\t1\t1\n");
    free(text);
}

/* A child of one that awaits its own lies upon the cooperative kernel, as the wait does. */
TEST(gantt_of_children)
{
    reset(2);
    begin_run(1);
    begin_share(1, 0, only_share(0));
    record(0, COOP_EVENT_AWAIT, 2, 0);
    do_share(0, 1, only_share(0));
    end_share(1, 0, only_share(0));
    record(0, COOP_EVENT_AWAITED, 0, 0);
    end_run();
    char *text = exported(MAX_EVENTS, false);
    assert_string_equal(text, "# slot\tstart_ms\tend_ms\tkind\n"
                              "0\t0.000300\t0.000400\t4\n"
                              "0\t0.000400\t0.000500\t5\n"
                              "0\t0.000500\t0.000700\t4\n"
                              "0\t0.000100\t0.000800\t0\n"
                              "1\t0.000200\t0.000600\t5\n"
                              "\n\n# time_ms\tactive_workgroups\n"
                              "0\t0\n"
                              "0.000000\t1\n"
                              "0.000900\t0\n"
                              "\n\n# time_ms\tslot\tkind\n");
    free(text);
}

/* The first ring to be full is so at 0.9 us: workgroup 1 waits for the task, 0 is in its kernel. */
TEST(gantt_of_a_cut_trace)
{
    reset(2);
    begin_run(2);
    barrier(1, 1);
    run_task(1, 1);
    fork_from(0, 1);
    end_run();
    char *text = exported(4, false);
    assert_string_equal(text, "# slot\tstart_ms\tend_ms\tkind\n"
                              "0\t0.000300\t0.000600\t1\n"
                              "0\t0.000100\t0.000900\t0\n"
                              "1\t0.000200\t0.000500\t0\n"
                              "1\t0.000400\t0.000500\t1\n"
                              "1\t0.000500\t0.000900\t3\n"
                              "\n\n# time_ms\tactive_workgroups\n"
                              "0\t0\n"
                              "0.000000\t2\n"
                              "0.000600\t1\n"
                              "\n\n# time_ms\tslot\tkind\n"
                              "0.000500\t1\t0\n");
    free(text);
}

ALL_TESTS(seed_random, NULL)
