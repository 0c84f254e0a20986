/* SPDX-License-Identifier: Apache-2.0
 *
 * What the library refuses: a status, and a message that says what to do; it goes on after each.
 * For tests/cli/test_library.sh, which builds it with the installed library.
 */
#include <coopbench.h>
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

/* All but one workgroup wait at a barrier: the wait ends, and the device is free again. */
static void deadlock(coopbench_buffer any)
{
    const struct coopbench_argument argument[] = {COOPBENCH_BUFFER(any)};
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
    const char *waits[] = {"waits.cl"};
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
    MERGE(files, 2, "no/folder/x.cl", COOPBENCH_ERROR, "cannot write no/folder/x.cl");
    MERGE(files, 2, "both.cl", COOPBENCH_OK, "");
    MERGE(files, 1, "alone.cl", COOPBENCH_OK, "");
    MERGE(files + 1, 1, "task.cl", COOPBENCH_OK, "");
    write_file("waits.cl", "kernel void waits(global uint *x)\n{\n    if (get_group_id(0) > 0)\n"
                           "        resizing_global_barrier();\n    x[0] = 1;\n}\n");
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
    REFUSED(coopbench_submit(c, &bad, &number), "argument 0 of squares: out is a pointer");
    const struct coopbench_argument twice[] = {COOPBENCH_BUFFER(out), COOPBENCH_BUFFER(out)};
    bad.arguments = twice;
    REFUSED(coopbench_submit(c, &bad, &number), "argument 1 of squares: first is a value");
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
    EXPECT(coopbench_open(&nobody, &c), COOPBENCH_NO_DEVICE, "nobody");
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

    const struct coopbench_argument arguments[] = {COOPBENCH_BUFFER(in), COOPBENCH_BUFFER(rings),
                                                   COOPBENCH_VALUE(n), COOPBENCH_VALUE(rounds)};
    const struct coopbench_task task = {
        .kernel = "squares", .workers = 1, .dimensions = 1, .global = {64}, .local = {64}};
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
    DONE(coopbench_start(c, &again));
    tasks_are_refused(out, workers);
    line_is_full(out);
    DONE(coopbench_stop(c, NULL));
    DONE(coopbench_start(c, NULL)); /* and closes it while it runs */
    coopbench_close(c);
    coopbench_close(NULL);
    return failed;
}
