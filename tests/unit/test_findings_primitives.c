/* SPDX-License-Identifier: Apache-2.0
 *
 * What primitives concludes, from made-up runs.
 */
#define BENCH "primitives"
#include "findings_fixture.h"
#include "tests/unit/unit.h"

#define TUNE                                                                                       \
    "next: `coopbench primitives --tune --gpu` also tries pauses, and keeps the best for this "    \
    "device: coopbench's own kernels use them from then on.\n"

/* Adds a case of N = 8 workgroups. Its interval is `wide` of the throughput on both sides; 0: none.
 */
static cJSON *add(cJSON *run, const char *kind, const char *name, const char *more,
                  double throughput, double wide)
{
    cJSON *item = add_case(run, "d", name, "kind=%s primitive=%s groups=N%s", kind, name, more);
    double low = wide > 0 ? 1 - wide : NAN, high = wide > 0 ? 1 + wide : NAN;
    add_interval(item, "throughput", throughput, low * throughput, high * throughput);
    add_interval(item, "op_time", 1e9 / throughput, 1e9 / throughput / high,
                 1e9 / throughput / low);
    add_metric(item, "groups", 8);
    return item;
}

TEST(the_fastest)
{
    cJSON *run = new_run();
    add(run, "barrier", "xf", "", 1e6, 0.1);
    add(run, "barrier", "counter", "", 2e6, 0.1);
    add(run, "barrier", "native", "", 9e6, 0.1); /* not ours */
    add(run, "barrier", "relaunch", "", 8e6, 0.1);
    assert_findings(run,
                    "fastest: With 8 workgroups, use the barrier `counter` (500 ns [455 ns, 556 "
                    "ns], fastest of 2).\n" TUNE);
}

TEST(overlapping_intervals)
{
    cJSON *run = new_run();
    add(run, "mutex", "ticket", " section=0", 1e6, 0.5);
    add(run, "mutex", "spin", " section=0", 2e6, 0.5);
    add(run, "mutex", "ticket", " section=1", 9e6, 0.5);
    assert_findings(run, "tie: With 8 workgroups, these measurements do not tell which is faster, "
                         "the mutex `spin` (500 ns [333 ns, 1.00 µs]) or `ticket` (1.00 µs [667 "
                         "ns, 2.00 µs]): use either, or measure more: --runs 40.\n" TUNE);
}

/* Two of a kind are one sentence. */
TEST(kinds_share_sentences)
{
    cJSON *run = new_run();
    add(run, "barrier", "xf", "", 1e6, 0.1);
    add(run, "barrier", "counter", "", 2e6, 0.1);
    add(run, "mutex", "ticket", " section=0", 1e6, 0.1);
    add(run, "mutex", "spin", " section=0", 2e6, 0.1);
    assert_findings(run,
                    "fastest: With 8 workgroups, use the barrier `counter` (500 ns [455 ns, 556 "
                    "ns], fastest of 2), the mutex `spin` (500 ns [455 ns, 556 ns], fastest "
                    "of 2).\n" TUNE);
}

TEST(no_intervals)
{
    cJSON *run = new_run();
    add(run, "mutex", "ticket", " section=5", 1e6, 0);
    add(run, "mutex", "spin", " section=5", 2e6, 0);
    assert_findings(run, "tie: With 8 workgroups, these measurements do not tell which is faster, "
                         "the mutex with sections of 5 `spin` (500 ns) or `ticket` (1.00 µs): use "
                         "either, or measure more: --runs 40.\n" TUNE);
}

TEST(one_alone_and_a_timeout)
{
    cJSON *run = new_run();
    add(run, "semaphore", "ticket", " initial=2", 1e6, 0.1);
    make_failed(add_case(run, "d", "spin", "kind=semaphore primitive=spin groups=N initial=2"),
                "timeout");
    assert_findings(run,
                    "timeout: 1 of 2 cases ran past a deadline: primitives/spin: because.\n"
                    "fastest: With 8 workgroups, use the semaphore of 2 `ticket` (1.00 µs [909 "
                    "ns, 1.11 µs], the only one with a result).\n" TUNE);
}

TEST(after_tuning)
{
    cJSON *run = new_run();
    add(run, "barrier", "xf", " tune=true", 1e6, 0.1);
    assert_findings(run, "next: `coopbench apps --gpu` tells what such a barrier is worth to "
                         "applications.\n");
}
