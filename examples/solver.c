/* SPDX-License-Identifier: Apache-2.0
 *
 * A solver that yields to bursts of requests: a ring of numbers is smoothed, while short requests
 * come many at a time, the urgent ones of which go first.
 *
 *     cc solver.c $(pkg-config --cflags --libs coopbench) -o solver && ./solver gpu .
 */
#include "example.h"

#define N      20000u /* numbers of the ring */
#define ROUNDS 400u
#define BURSTS 5u
#define BURST  16u
#define ITEMS  256u /* of a request */

static unsigned ring[2][N], found[N], answer[ITEMS];

static void smooth_on_host(void)
{
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned i = 0; i < N; i++) {
            const unsigned *now = ring[round % 2];
            ring[(round + 1) % 2][i] = (now[(i + N - 1) % N] + now[i] + now[(i + 1) % N]) / 3;
        }
}

static unsigned count_wrong_answers(coopbench *c, coopbench_buffer out, unsigned first)
{
    unsigned wrong = 0;
    CHECK(coopbench_read(c, out, answer, sizeof answer));
    for (unsigned i = 0; i < ITEMS; i++)
        wrong += answer[i] != (first + i) * (first + i);
    return wrong;
}

/* All requests of a burst at once, every fourth of which is urgent. */
static unsigned burst(coopbench *c, const coopbench_buffer *out, unsigned number, double *urgent_s)
{
    unsigned tickets[BURST], wrong = 0;
    for (unsigned i = 0; i < BURST; i++) {
        const unsigned first = number * BURST + i;
        const struct coopbench_argument arguments[] = {COOPBENCH_BUFFER(out[i]),
                                                       COOPBENCH_VALUE(first)};
        const struct coopbench_task task = {.kernel = "squares",
                                            .workers = 1,
                                            .dimensions = 1,
                                            .global = {ITEMS},
                                            .local = {64},
                                            .arguments = arguments,
                                            .n_arguments = 2,
                                            .priority = i % 4 == 3};
        CHECK(coopbench_submit(c, &task, &tickets[i]));
    }
    for (unsigned i = 0; i < BURST; i++) {
        struct coopbench_report report;
        CHECK(coopbench_await(c, tickets[i], &report));
        wrong += count_wrong_answers(c, out[i], number * BURST + i);
        if (i % 4 == 3 && report.line_s + report.gather_s + report.run_s > *urgent_s)
            *urgent_s = report.line_s + report.gather_s + report.run_s;
    }
    return wrong;
}

int main(int argc, char **argv)
{
    for (unsigned i = 0; i < N; i++)
        ring[0][i] = i * 2654435761u % 1000000;
    coopbench *c = open_program(argc, argv, "ring.cl", "squares.cl");
    const unsigned n = N, rounds = ROUNDS;
    coopbench_buffer rings = buffer_of(c, NULL, 2 * sizeof found), out[BURST];
    for (unsigned i = 0; i < BURST; i++)
        out[i] = buffer_of(c, NULL, sizeof answer);
    const struct coopbench_argument arguments[] = {
        COOPBENCH_BUFFER(buffer_of(c, ring[0], sizeof ring[0])), COOPBENCH_BUFFER(rings),
        COOPBENCH_VALUE(n), COOPBENCH_VALUE(rounds)};
    CHECK(coopbench_arguments(c, arguments, 4));
    CHECK(coopbench_start(c, NULL));
    double urgent_s = 0;
    unsigned wrong = 0;
    for (unsigned i = 0; i < BURSTS; i++)
        wrong += burst(c, out, i, &urgent_s);
    struct coopbench_result result;
    CHECK(coopbench_stop(c, &result));

    smooth_on_host();
    CHECK(coopbench_read(c, rings, found, sizeof found)); /* an even number of rounds: the first */
    for (unsigned i = 0; i < N; i++)
        wrong += found[i] != ring[0][i];
    printf("%u requests beside a solver of %.0f ms, urgent ones in at most %.1f ms\n",
           BURSTS * BURST, result.seconds * 1e3, urgent_s * 1e3);
    printf("%u values are wrong\n", wrong);
    coopbench_close(c);
    return wrong ? 1 : 0;
}
