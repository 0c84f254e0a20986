/* SPDX-License-Identifier: Apache-2.0
 *
 * What compare promises to find, at every number of rounds, of baselines and of samples, and how
 * seldom it is wrong (docs/trust.md has it all, of tests/power.c).
 */
#include <stdbool.h>

#include "checks.h"
#include "random_fixture.h"
#include "tests/unit/unit.h"

#include "analysis/compare/rounds.h"
#include "tests/simulated_compare.h"

static const struct simulated_compare clear_step = {
    .baselines = 1, .noise = noise_normal, .step = 50, .threshold = 0.025};

/* Nine of ten are found, as one of so many cases. */
static void check_found(const struct simulated_compare *of, size_t cases)
{
    enum { TRIES = 20 };
    unsigned found = 0;
    for (unsigned t = 0; t < TRIES; t++) {
        const struct cb_comparison row = simulate_comparison(of);
        found += simulated_verdict(&row, cases) == CB_REGRESSION;
    }
    if (found + 2 < TRIES)
        fail_msg("%zu baselines of %zu rounds, %zu rounds, %zu samples, %zu cases: %u of %d found",
                 of->baselines, of->processes, of->now, of->samples, cases, found, TRIES);
}

TEST(clear_steps_are_found_at_every_number_of_rounds)
{
    struct simulated_compare of = clear_step;
    dice.state = 41;
    for (of.processes = CB_LEAST_ROUNDS; of.processes <= 30; of.processes++)
        for (of.now = CB_LEAST_ROUNDS; of.now <= 30; of.now++) {
            check_found(&of, 1);
            if (of.processes > CB_LEAST_ROUNDS && of.now > CB_LEAST_ROUNDS)
                check_found(&of, 10);
        }
}

/* With few baselines a step has to be the larger, the more cases there are. */
TEST(clear_steps_are_found_at_every_number_of_baselines)
{
    struct simulated_compare of = clear_step;
    of.processes = 1;
    dice.state = 42;
    for (of.baselines = CB_LEAST_BASELINES; of.baselines <= 20; of.baselines++)
        for (of.samples = CB_LEAST_SAMPLES; of.samples <= 20; of.samples++) {
            check_found(&of, 1);
            if (of.baselines > 4)
                check_found(&of, 10);
        }
}

TEST(clear_steps_are_found_beside_baselines_in_rounds)
{
    struct simulated_compare of = clear_step;
    dice.state = 43;
    for (of.baselines = CB_LEAST_BASELINES; of.baselines <= 10; of.baselines++)
        for (of.processes = of.now = 6; of.processes <= 15; of.processes = ++of.now) {
            check_found(&of, 1);
            if (of.baselines > 4)
                check_found(&of, 10);
        }
}

/* However differently many rounds the sides have: five may agree by chance, which thirty do not. */
TEST(false_alarms_are_no_more_than_alpha)
{
    enum { TRIES = 8000 };
    const size_t sizes[] = {CB_LEAST_ROUNDS, 6, 10, 30};
    dice.state = 44;
    for (size_t i = 0; i < CB_COUNTOF(sizes); i++)
        for (size_t k = 0; k < CB_COUNTOF(sizes); k++) {
            const struct simulated_compare of = {.baselines = 1,
                                                 .processes = sizes[i],
                                                 .now = sizes[k],
                                                 .noise = noise_normal,
                                                 .threshold = 1e-9};
            unsigned one = 0, of_ten = 0;
            for (unsigned t = 0; t < TRIES; t++) {
                const struct cb_comparison row = simulate_comparison(&of);
                one += simulated_verdict(&row, 1) != CB_INCONCLUSIVE;
                of_ten += simulated_verdict(&row, 10) != CB_INCONCLUSIVE;
            }
            /* 80 and 8 are promised; three or four standard deviations more are chance. */
            if (one > 110 || of_ten > 20)
                fail_msg("%zu rounds and %zu: %u and %u of %d", sizes[i], sizes[k], one, of_ten,
                         TRIES);
        }
}
