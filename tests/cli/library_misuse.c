/* SPDX-License-Identifier: Apache-2.0
 *
 * What the library refuses: a status, and a message that says what to do; it goes on after each.
 * For tests/cli/test_library.sh, which builds it with the installed library.
 */
#include <coopbench.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed;
static coopbench *c;

static void expect(enum coopbench_status status, enum coopbench_status wanted, const char *message,
                   const char *text, int line)
{
    if (status == wanted && strstr(message, text))
        return;
    fprintf(stderr, "line %d: status %d instead of %d: %s\n", line, (int)status, (int)wanted,
            message);
    failed = 1;
}
#define EXPECT(call, wanted, text)                                                                 \
    do {                                                                                           \
        enum coopbench_status got = (call);                                                        \
        expect(got, (wanted), coopbench_message(c), (text), __LINE__);                             \
    } while (0)
#define REFUSED(call, text) EXPECT((call), COOPBENCH_USAGE, (text))
#define DONE(call)          EXPECT((call), COOPBENCH_OK, "")

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        exit(2);
}

/* ---- Null pointers --------------------------------------------------------------------------- */

/* Each public call that has pointers, with the one of this number NULL, from 1; 0: with none. */
static enum coopbench_status merge_null(coopbench *unused, int null)
{
    const char *files[] = {null == 2 ? NULL : "bad.cl"};
    (void)unused;
    return coopbench_merge(null == 1 ? NULL : files, 1, null == 3 ? NULL : "x.cl", NULL, 0);
}
static enum coopbench_status sources_null(coopbench *unused, int null)
{
    const struct coopbench_source sources[] = {{null == 2 ? NULL : "bad.cl", NULL}};
    (void)unused;
    return coopbench_merge_sources(null == 1 ? NULL : sources, 1, null == 3 ? NULL : "x.cl", NULL,
                                   0);
}
static enum coopbench_status open_null(coopbench *unused, int null)
{
    const struct coopbench_options nobody = {.device = "name:nobody"};
    coopbench *other = NULL;
    (void)unused;
    enum coopbench_status status = coopbench_open(&nobody, null == 1 ? NULL : &other);
    coopbench_close(other);
    return status;
}
static enum coopbench_status reserve_null(coopbench *h, int null)
{
    coopbench_buffer buffer;
    return coopbench_reserve(h, 64, null == 1 ? NULL : &buffer);
}
static coopbench_buffer any_buffer;
static enum coopbench_status write_null(coopbench *h, int null)
{
    return coopbench_write(h, any_buffer, null == 1 ? NULL : &null, sizeof null);
}
static enum coopbench_status read_null(coopbench *h, int null)
{
    return coopbench_read(h, any_buffer, null == 1 ? NULL : &null, sizeof null);
}
static enum coopbench_status load_null(coopbench *h, int null)
{
    return coopbench_load(h, null == 1 ? NULL : "nowhere.cl");
}
static enum coopbench_status arguments_null(coopbench *h, int null)
{
    const struct coopbench_argument none[4] = {{0}}; /* neither values nor buffers */
    return coopbench_arguments(h, null == 1 ? NULL : none, 4);
}
static enum coopbench_status workers_null(coopbench *h, int null)
{
    unsigned workers;
    return coopbench_workers(h, null == 1 ? NULL : &workers);
}
static enum coopbench_status start_null(coopbench *h, int null)
{
    (void)null;
    return coopbench_start(h, NULL);
}
static enum coopbench_status resize_null(coopbench *h, int null)
{
    (void)null;
    return coopbench_resize(h, 0, 1, NULL);
}
static enum coopbench_status runs_null(coopbench *h, int null)
{
    unsigned runs;
    return coopbench_runs(h, null == 1 ? NULL : &runs);
}
static enum coopbench_status stop_null(coopbench *h, int null)
{
    (void)null;
    return coopbench_stop(h, NULL);
}
static enum coopbench_status submit_null(coopbench *h, int null)
{
    const struct coopbench_argument none[2] = {{0}};
    const struct coopbench_task task = {.kernel = "squares",
                                        .workers = 1,
                                        .dimensions = 1,
                                        .global = {64},
                                        .local = {64},
                                        .arguments = null == 3 ? NULL : none,
                                        .n_arguments = 2};
    unsigned number;
    return coopbench_submit(h, null == 1 ? NULL : &task, null == 2 ? NULL : &number);
}
static enum coopbench_status cancel_null(coopbench *h, int null)
{
    int cancelled;
    return coopbench_cancel(h, 77, null == 1 ? NULL : &cancelled);
}
static enum coopbench_status await_null(coopbench *h, int null)
{
    (void)null;
    return coopbench_await(h, 77, NULL);
}

static const struct call {
    const char *name;
    enum coopbench_status (*call)(coopbench *handle, int null);
    int pointers; /* that it must have, besides a handle */
    int handle;   /* 1: it has one */
} calls[] = {
    {"coopbench_merge", merge_null, 3, 0},     {"coopbench_merge_sources", sources_null, 3, 0},
    {"coopbench_open", open_null, 1, 0},       {"coopbench_reserve", reserve_null, 1, 1},
    {"coopbench_write", write_null, 1, 1},     {"coopbench_read", read_null, 1, 1},
    {"coopbench_load", load_null, 1, 1},       {"coopbench_arguments", arguments_null, 1, 1},
    {"coopbench_workers", workers_null, 1, 1}, {"coopbench_start", start_null, 0, 1},
    {"coopbench_resize", resize_null, 0, 1},   {"coopbench_runs", runs_null, 1, 1},
    {"coopbench_stop", stop_null, 0, 1},       {"coopbench_submit", submit_null, 3, 1},
    {"coopbench_cancel", cancel_null, 1, 1},   {"coopbench_await", await_null, 0, 1},
};

/* Each pointer in turn is NULL; if the handle is not open, none need be. */
static void nulls_are_refused(coopbench *handle, int is_open, const char *when)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (int null = is_open || !calls[i].handle; null <= calls[i].pointers; null++) {
            enum coopbench_status status = calls[i].call(handle, null);
            if (status == COOPBENCH_USAGE)
                continue;
            fprintf(stderr, "%s, %s with pointer %d NULL: status %d: %s\n", when, calls[i].name,
                    null, (int)status, coopbench_message(handle));
            failed = 1;
        }
}

/* ---- Numbers that are none, and arguments that do not fit ------------------------------------ */

static void numbers_are_refused(void)
{
    const double bad[] = {-1, NAN, INFINITY, 1e10}, bad_waits[] = {-1, NAN, INFINITY, 61};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct coopbench_start life = {.lifetime_s = bad[i]}, gather = {.gather_s = bad[i]};
        const struct coopbench_options wait = {.wait_s = bad_waits[i]};
        coopbench *other;
        enum coopbench_status status = coopbench_open(&wait, &other);
        expect(status, COOPBENCH_USAGE, coopbench_message(other), "wait_s: ", __LINE__);
        coopbench_close(other);
        REFUSED(coopbench_start(c, &life), "lifetime_s: ");
        REFUSED(coopbench_start(c, &gather), "gather_s: ");
    }
    REFUSED(coopbench_start(c, &(struct coopbench_start){.first = 1000}), "first: 1000 workgroups");
}

static void arguments_are_refused(const struct coopbench_argument good[4], coopbench_buffer in)
{
    const unsigned short half = 1;
    const struct {
        int at;
        struct coopbench_argument bad;
        const char *text;
    } rows[] = {
        {0, COOPBENCH_VALUE(failed), "argument 0: input is a pointer, and this a value"},
        {1, {0}, "argument 1: neither a value nor memory"},
        {1, COOPBENCH_LOCAL(64), "argument 1: local memory is for parameters of tasks"},
        {1, COOPBENCH_BUFFER(((coopbench_buffer){in.at, (size_t)1 << 40})),
         "argument 1: no buffer"},
        {1, COOPBENCH_BUFFER(((coopbench_buffer){0, 64})), "argument 1: no buffer"},
        {1, COOPBENCH_BUFFER(((coopbench_buffer){in.at + 1, 64})),
         "argument 1: a part of a buffer"},
        {2, COOPBENCH_BUFFER(in), "argument 2: n is a value, and this is none"},
        {3, COOPBENCH_VALUE(half), "argument 3: rounds is a uint of 4 bytes, and this has 2"},
        {3, {&half, 0, 1, {0, 0}}, "argument 3: a value of 0 bytes"},
    };
    REFUSED(coopbench_start(c, NULL), "coopbench_arguments() first");
    REFUSED(coopbench_arguments(c, good, 3), "the kernel has 4 parameters, and this call 3 arg");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct coopbench_argument arguments[5] = {good[0], good[1], good[2], good[3], good[3]};
        REFUSED(coopbench_arguments(c, arguments, 5), "the kernel has 4 parameters");
        arguments[rows[i].at] = rows[i].bad;
        REFUSED(coopbench_arguments(c, arguments, 4), rows[i].text);
    }
    REFUSED(coopbench_start(c, NULL), "coopbench_arguments() first");
}

/* ---- While it runs --------------------------------------------------------------------------- */

/* All but one workgroup wait at a barrier: the wait ends, and the device is free again. */
static void deadlock(coopbench_buffer any)
{
    const struct coopbench_argument argument[] = {COOPBENCH_BUFFER(any)};
    write_file("pictures.cl", "#define grey_image_names , in_of_grey\n"
                              "#define grey_images , read_only image2d_t in_of_grey\n");
    REFUSED(coopbench_load(c, "pictures.cl"), "the task grey has images or samplers, which no");
    DONE(coopbench_load(c, "dead.cl"));
    DONE(coopbench_arguments(c, argument, 1));
    DONE(coopbench_start(c, NULL));
    EXPECT(coopbench_stop(c, NULL), COOPBENCH_TIMEOUT, "waited");
    REFUSED(coopbench_stop(c, NULL), "the kernel does not run");
}

static void merges(const char *folder)
{
    char ring[512], squares[512], message[4096];
    const char *files[] = {ring, squares}, *none[] = {"nowhere.cl"}, *bad[] = {"bad.cl"};
    const char *waits[] = {"waits.cl"}, *perhaps[] = {"perhaps.cl"};
    snprintf(ring, sizeof ring, "%s/ring.cl", folder);
    snprintf(squares, sizeof squares, "%s/squares.cl", folder);
    write_file("bad.cl", "kernel void k(global uint *x) { x[0] = y; }\n");
#define MERGE(files, n, path, wanted, text)                                                        \
    do {                                                                                           \
        enum coopbench_status got =                                                                \
            coopbench_merge((files), (n), (path), message, sizeof message);                        \
        expect(got, (wanted), message, (text), __LINE__);                                          \
    } while (0)
    MERGE(none, 1, "x.cl", COOPBENCH_USAGE, "nowhere.cl");
    MERGE(bad, 1, "x.cl", COOPBENCH_USAGE, "bad.cl:1:40");
    write_file("grey.cl", "kernel void grey(read_only image2d_t in, global float *out) { }\n");
    const char *grey[] = {"grey.cl"};
    MERGE(grey, 1, "x.cl", COOPBENCH_USAGE, "grey.cl:1:18: the parameter in of grey: ");
    const struct coopbench_source with_y = {"bad.cl", "-Dy=7"}, without = {"bad.cl", "-D"};
    expect(coopbench_merge_sources(&with_y, 1, "x.cl", message, sizeof message), COOPBENCH_OK,
           message, "", __LINE__);
    expect(coopbench_merge_sources(&without, 1, "x.cl", message, sizeof message), COOPBENCH_USAGE,
           message, "build options: -D", __LINE__);
    write_file("perhaps.cl", "kernel void k(global uint *x)\n{\n    if (x[get_local_id(0)])\n"
                             "        global_barrier();\n}\n");
    MERGE(perhaps, 1, "x.cl", COOPBENCH_OK, "perhaps.cl:4:9: warning: not all work-items may");
    MERGE(files, 2, "no/folder/x.cl", COOPBENCH_ERROR, "cannot write no/folder/x.cl");
    MERGE(files, 2, "both.cl", COOPBENCH_OK, "");
    MERGE(files, 1, "alone.cl", COOPBENCH_OK, "");
    MERGE(files + 1, 1, "task.cl", COOPBENCH_OK, "");
    write_file("waits.cl", "kernel void waits(global uint *x)\n{\n    const uint group = "
                           "get_group_id(0);\n    if (group > 0)\n        "
                           "resizing_global_barrier();\n    x[0] = 1;\n}\n");
    MERGE(waits, 1, "dead.cl", COOPBENCH_OK, "");
}

static const unsigned first = 3;

/* 64 squares, from that of `first` on. */
static struct coopbench_task squares(const struct coopbench_argument arguments[2])
{
    return (struct coopbench_task){.kernel = "squares",
                                   .workers = 1,
                                   .dimensions = 1,
                                   .global = {64},
                                   .local = {64},
                                   .arguments = arguments,
                                   .n_arguments = 2};
}

static void tasks_are_refused(coopbench_buffer out, unsigned workers)
{
    const struct coopbench_argument arguments[] = {COOPBENCH_BUFFER(out), COOPBENCH_VALUE(first)};
    const struct coopbench_task good = squares(arguments);
    struct coopbench_task bad = good;
    unsigned number, found[64];
    int cancelled;
    bad.kernel = "square";
    REFUSED(coopbench_submit(c, &bad, &number), "there is no task square, but squares");
    bad = good;
    bad.workers = workers;
    REFUSED(coopbench_submit(c, &bad, &number), "");
    bad = good;
    bad.local[0] = 48;
    REFUSED(coopbench_submit(c, &bad, &number), "");
    bad = good;
    bad.dimensions = 4;
    REFUSED(coopbench_submit(c, &bad, &number), "");
    bad = good;
    bad.n_arguments = 1;
    REFUSED(coopbench_submit(c, &bad, &number), "squares has 2 parameters, and this task 1");
    const struct coopbench_argument swapped[] = {COOPBENCH_VALUE(first), COOPBENCH_BUFFER(out)};
    bad = good;
    bad.arguments = swapped;
    REFUSED(coopbench_submit(c, &bad, &number), "squares: argument 0: out is a pointer");
    const struct coopbench_argument twice[] = {COOPBENCH_BUFFER(out), COOPBENCH_BUFFER(out)};
    bad.arguments = twice;
    REFUSED(coopbench_submit(c, &bad, &number), "squares: argument 1: first is a value");
    const struct coopbench_argument unaligned[] = {COOPBENCH_BUFFER(out), {&first, 4, 0, {0, 0}}};
    bad.arguments = unaligned;
    REFUSED(coopbench_submit(c, &bad, &number), "argument 1: an alignment of 0 bytes");
    const double late[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        bad = good;
        bad.deadline_s = late[i];
        REFUSED(coopbench_submit(c, &bad, &number), "deadline_s: ");
        REFUSED(coopbench_resize(c, 1, late[i], NULL), "seconds: ");
    }
    REFUSED(coopbench_resize(c, workers + 1, 1, NULL), "at most");
    REFUSED(coopbench_await(c, 77, NULL), "task 77 was not submitted");
    for (int i = 0; i < 3000; i++) { /* more than have room, one by one */
        DONE(coopbench_submit(c, &good, &number));
        DONE(coopbench_await(c, number, NULL));
        if (failed)
            return;
    }
    DONE(coopbench_submit(c, &good, &number));
    DONE(coopbench_cancel(c, number, &cancelled));
    DONE(coopbench_await(c, number, NULL));
    REFUSED(coopbench_await(c, number, NULL), "has been waited for");
    DONE(coopbench_read(c, out, found, sizeof found));
    for (unsigned i = 0; i < 64; i++)
        failed |= found[i] != (first + i) * (first + i);
}

static void line_is_full(coopbench_buffer out)
{
    const struct coopbench_argument arguments[] = {COOPBENCH_BUFFER(out), COOPBENCH_VALUE(first)};
    const struct coopbench_task good = squares(arguments);
    static unsigned numbers[1025];
    unsigned n = 0;
    while (n < 1025 && coopbench_submit(c, &good, &numbers[n]) == COOPBENCH_OK)
        n++;
    if (n < 1000 || n > 1024) {
        fprintf(stderr, "%u tasks were taken\n", n);
        failed = 1;
    }
    for (unsigned i = 0; i < n; i++)
        DONE(coopbench_await(c, numbers[i], NULL));
}

int main(int argc, char **argv)
{
    const struct coopbench_options nobody = {.device = "name:nobody"},
                                   small = {.device = argc > 1 ? argv[1] : NULL, .memory = 1 << 20};
    const unsigned n = 64, rounds = 2;
    coopbench_buffer in, rings, out, more;
    unsigned workers = 0, number;
    merges(argc > 2 ? argv[2] : ".");
    EXPECT(coopbench_merge(NULL, 0, "empty.cl", NULL, 0), COOPBENCH_USAGE, "");
    if (fopen("empty.cl", "r")) {
        fputs("a program was made of nothing\n", stderr);
        failed = 1;
    }
    nulls_are_refused(NULL, 0, "without a handle");
    EXPECT(coopbench_open(&nobody, &c), COOPBENCH_NO_DEVICE, "nobody");
    nulls_are_refused(c, 0, "with a handle that is not open");
    coopbench_close(c);
    DONE(coopbench_open(&small, &c));
    if (failed)
        return 1;
    EXPECT(coopbench_merge(NULL, 0, "x.cl", NULL, 0), COOPBENCH_USAGE, "");
    REFUSED(coopbench_start(c, NULL), "no program is loaded");
    REFUSED(coopbench_load(c, "task.cl"), "no kernel with scheduling points");
    EXPECT(coopbench_load(c, "nowhere.cl"), COOPBENCH_USAGE, "nowhere.cl");
    DONE(coopbench_reserve(c, 4 * n, &in));
    DONE(coopbench_reserve(c, 8 * n, &rings));
    DONE(coopbench_reserve(c, 4 * n, &out));
    REFUSED(coopbench_reserve(c, 1 << 20, &more), "are left");
    REFUSED(coopbench_reserve(c, 0, &more), "are left");
    REFUSED(coopbench_reserve(c, (size_t)-1, &more), "are left");
    REFUSED(coopbench_write(c, in, &n, 4 * n + 1), "of a buffer that has 256");
    REFUSED(coopbench_write(c, ((coopbench_buffer){0, 64}), &n, 4), "no buffer");
    any_buffer = in;
    nulls_are_refused(c, 1, "before a program is loaded");

    const struct coopbench_argument arguments[] = {COOPBENCH_BUFFER(in), COOPBENCH_BUFFER(rings),
                                                   COOPBENCH_VALUE(n), COOPBENCH_VALUE(rounds)};
    const struct coopbench_task task = {
        .kernel = "squares", .workers = 1, .dimensions = 1, .global = {64}, .local = {64}};
    DONE(coopbench_load(c, "alone.cl"));
    arguments_are_refused(arguments, in);
    nulls_are_refused(c, 1, "when a program is loaded");
    DONE(coopbench_load(c, "alone.cl"));
    DONE(coopbench_arguments(c, arguments, 4));
    DONE(coopbench_start(c, NULL));
    REFUSED(coopbench_submit(c, &task, &number), "the program has no tasks");
    REFUSED(coopbench_start(c, NULL), "the kernel runs");
    REFUSED(coopbench_load(c, "both.cl"), "the kernel runs");
    DONE(coopbench_stop(c, NULL));
    REFUSED(coopbench_stop(c, NULL), "the kernel does not run");

    deadlock(in);
    DONE(coopbench_load(c, "both.cl"));
    DONE(coopbench_arguments(c, arguments, 4));
    DONE(coopbench_workers(c, &workers));
    const struct coopbench_start many = {.workers = workers + 1}, again = {.repeat = 1};
    REFUSED(coopbench_start(c, &many), "run at once");
    numbers_are_refused();
    DONE(coopbench_start(c, &again));
    nulls_are_refused(c, 1, "while it runs");
    tasks_are_refused(out, workers);
    line_is_full(out);
    DONE(coopbench_stop(c, NULL));
    DONE(coopbench_start(c, NULL)); /* and closes it while it runs */
    coopbench_close(c);
    coopbench_close(NULL);
    return failed;
}
