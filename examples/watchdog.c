/* SPDX-License-Identifier: Apache-2.0
 *
 * A watchdog that shrinks a kernel: a solver may take the whole device until somebody else needs
 * it; then it goes on with one workgroup, and with all again later.
 *
 *     cc watchdog.c $(pkg-config --cflags --libs coopbench) -o watchdog && ./watchdog gpu .
 */
#include <time.h>

#include "example.h"

#define N       20000u
#define ROUNDS  10u
#define SECONDS 0.2 /* that each phase takes */

static unsigned ring[N];

static void wait_a_while(void)
{
    const struct timespec pause = {0, (long)(SECONDS * 1e9)};
    nanosleep(&pause, NULL);
}

/* How often the solver ends in a while, with at most so many workgroups. */
static unsigned watch(coopbench *c, unsigned workgroups, unsigned workers)
{
    unsigned before, after, active;
    CHECK(coopbench_resize(c, workgroups, 5, &active));
    CHECK(coopbench_runs(c, &before));
    wait_a_while();
    CHECK(coopbench_runs(c, &after));
    printf("%u of %u workgroups: %.0f runs a second\n", active, workers,
           (after - before) / SECONDS);
    return workgroups > 0 && active > workgroups ? 1 : 0;
}

int main(int argc, char **argv)
{
    for (unsigned i = 0; i < N; i++)
        ring[i] = i;
    coopbench *c = open_program(argc, argv, "ring.cl", "squares.cl");
    const unsigned n = N, rounds = ROUNDS;
    const struct coopbench_start forever = {.repeat = 1, .lifetime_s = 20};
    const struct coopbench_argument arguments[] = {
        COOPBENCH_BUFFER(buffer_of(c, ring, sizeof ring)),
        COOPBENCH_BUFFER(buffer_of(c, NULL, 2 * sizeof ring)), COOPBENCH_VALUE(n),
        COOPBENCH_VALUE(rounds)};
    unsigned workers, failed = 0;
    CHECK(coopbench_arguments(c, arguments, 4));
    CHECK(coopbench_workers(c, &workers));
    CHECK(coopbench_start(c, &forever));

    failed += watch(c, 0, workers); /* the night: all are its own */
    failed += watch(c, 1, workers); /* the day */
    failed += watch(c, (workers + 1) / 2, workers);
    failed += watch(c, 0, workers);

    struct coopbench_result result;
    CHECK(coopbench_stop(c, &result));
    printf("%u runs, %u workgroups left, %u came\n", result.runs, result.kills, result.forks);
    coopbench_close(c);
    return failed || result.runs == 0 ? 1 : 0;
}
