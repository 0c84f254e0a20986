/* SPDX-License-Identifier: Apache-2.0
 *
 * Neighbours: what is made of times of cores, of gaps and of NVML's processes.
 */
#include "nvml_fixture.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/host/time.h"
#include "runtime/neighbours/internal.h"

#define S  1e9
#define MS 1e6

/* ---- Cores ----------------------------------------------------------------------------------- */

/* What is seen of so many cores in a time, of which they were busy in all, and we had ours. */
static struct cb_look look_at(unsigned cores, double wall_ns, double busy_ns, double ours_ns)
{
    const struct cb_cores_time before = {1000, cores, 7 * S, 3 * S};
    const struct cb_cores_time now = {1000 + (uint64_t)wall_ns, cores, 7 * S + busy_ns,
                                      3 * S + ours_ns};
    struct cb_look look = {0};
    cb_cores_look(&before, &now, &look);
    return look;
}

TEST(cores_that_only_we_have)
{
    assert_null(look_at(2, S, 2 * S, 2 * S).sign);
    assert_null(look_at(2, S, 0, 0).sign);
    assert_null(look_at(2, S, 1 * S, 1.5 * S).sign); /* times of processes run ahead */
    assert_null(look_at(64, S, 60 * S, 59 * S + 0.9 * S).sign);
}

TEST(cores_that_others_have)
{
    const struct cb_look half = look_at(2, S, 2 * S, 1 * S);
    assert_string_equal(half.sign, CB_SIGN_CORES);
    assert_true(fabs(half.share - 0.5) < 1e-9);
    assert_true(fabs(look_at(2, S, 0.1 * S, 0).share - 0.05) < 1e-9);
    assert_non_null(look_at(64, S, S, 0.2 * S).sign); /* most of one core, of 64 */
}

/* Ticks of 10 ms, on each core: what is less than they tell is not told. */
TEST(cores_in_a_short_time)
{
    assert_null(look_at(2, 50 * MS, 20 * MS, 0).sign);
    assert_non_null(look_at(2, 50 * MS, 30 * MS, 0).sign);
    assert_null(look_at(2, 0, 0, 0).sign);
    /* what a quiet machine's own work made of a third of a second, and bursts of 5 % of two */
    assert_null(look_at(2, 0.33 * S, 31 * MS, 0).sign);
    assert_non_null(look_at(2, 2 * S, 200 * MS, 0).sign);
}

TEST(cores_that_were_taken_away)
{
    const struct cb_cores_time before = {1000, 2, 0, 0}, now = {1000 + 1000000000, 1, 2 * S, 0};
    struct cb_look look = {0};
    cb_cores_look(&before, &now, &look);
    assert_null(look.sign);
}

static void spin(double ns)
{
    const double until_ns = (double)cb_now_ns() + ns;
    while ((double)cb_now_ns() < until_ns)
        ;
}

/* What a process below us does is ours: while it runs, and when it has been waited for. */
TEST(cores_of_a_child)
{
    struct cb_cores_time before, during, after;
    assert_true(cb_cores_read(getpid(), &before));
    int told[2];
    assert_int_equal(pipe(told), 0);
    pid_t child = fork();
    if (child == 0) {
        spin(100 * MS);
        if (write(told[1], "x", 1) != 1)
            _exit(1);
        pause();
    }
    char x;
    assert_int_equal(read(told[0], &x, 1), 1);
    assert_true(cb_cores_read(getpid(), &during));
    assert_true(cb_process_is_below(child, getpid()));
    assert_false(cb_process_is_below(getpid(), child));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_true(cb_cores_read(getpid(), &after));
    close(told[0]);
    close(told[1]);
    assert_true(during.ours_ns - before.ours_ns > 1 * MS); /* a loaded machine gives it little */
    assert_true(after.ours_ns > during.ours_ns - 20 * MS); /* its time in ticks now */
    assert_true(during.busy_ns - before.busy_ns > -10 * MS * (double)before.cores);
    assert_true(during.cores >= 1);
}

TEST(processes_that_are_not)
{
    assert_false(cb_process_is_below(0x3fffffff, getpid()));
    assert_false(cb_process_is_below(0, getpid()));
    assert_true(cb_process_is_below(getpid(), getppid()));
}

/* ---- Gaps ------------------------------------------------------------------------------------ */

static struct cb_look gaps_of(const struct cb_gap *given, double event_ns)
{
    struct cb_gap gaps[4];
    struct cb_look look = {0};
    memcpy(gaps, given, sizeof gaps);
    cb_gaps_look(gaps, 4, 2, 3 * MS, event_ns, &look); /* a tick is 2 ns */
    return look;
}

TEST(gaps)
{
    static const struct cb_gap quiet[4] = {{200, 0}, {100, 0}, {150, 0}, {90, 0}};
    static const struct cb_gap one_late[4] = {{200, 0}, {100, 0}, {150000, 150000}, {90, 0}};
    static const struct cb_gap turns[4] = {
        {625000, 750000}, {625001, 750000}, {624999, 750000}, {100, 0}};
    assert_null(gaps_of(quiet, 3.1 * MS).sign);
    assert_true(gaps_of(quiet, 3.1 * MS).longest_ns == 0);
    assert_null(gaps_of(one_late, 3.1 * MS).sign);
    const struct cb_look look = gaps_of(turns, 3.1 * MS);
    assert_string_equal(look.sign, CB_SIGN_GAPS);
    assert_true(look.longest_ns == 1250000);
    assert_true(fabs(look.share - 0.5) < 1e-9);
}

/* The clock stands still while others have the device: only the driver's times tell. */
TEST(gaps_that_the_clock_does_not_see)
{
    static const struct cb_gap quiet[4] = {{200, 0}, {100, 0}, {150, 0}, {90, 0}};
    const struct cb_look look = gaps_of(quiet, 6 * MS);
    assert_string_equal(look.sign, CB_SIGN_GAPS);
    assert_true(look.longest_ns == 3 * MS);
    assert_true(fabs(look.share - 0.5) < 1e-9);
}

/* What waits in kernels have seen tells of others, too, and not of their share. */
TEST(gaps_in_waits)
{
    struct cb_look look = {0};
    cb_gaps_in_waits(0, &look);
    assert_null(look.sign);
    cb_gaps_in_waits(2.5 * MS, &look);
    assert_string_equal(look.sign, CB_SIGN_GAPS);
    assert_true(look.longest_ns == 2.5 * MS && look.share == 0.01);
    look = (struct cb_look){.sign = CB_SIGN_NVML, .share = 0.3};
    cb_gaps_in_waits(2.5 * MS, &look);
    assert_true(look.share == 0.3);
}

/* Gaps tell the share better. */
TEST(signs)
{
    struct cb_look look = {0};
    cb_look_sees(&look, CB_SIGN_NVML, 0.95);
    cb_look_sees(&look, CB_SIGN_GAPS, 0.5);
    assert_string_equal(look.sign, CB_SIGN_GAPS);
    assert_true(look.share == 0.5);
    cb_look_sees(&look, CB_SIGN_GAPS, 7);
    assert_true(look.share == 1);
}

/* ---- NVML ------------------------------------------------------------------------------------ */

static struct cb_look look_at_processes(struct cb_gpu_processes *processes)
{
    struct cb_look look = {.processes = -1};
    cb_gpu_processes_look(processes, getpid(), &look);
    return look;
}

static void open_processes(struct cb_gpu_processes *processes)
{
    struct cb_err err;
    if (cb_gpu_processes_open(processes, &gpu, &err) != CB_OK)
        fail_msg("%s", err.text);
}

TEST(processes)
{
    struct cb_gpu_processes processes;
    set_processes("%u:900:0", OTHER);
    open_processes(&processes);
    set_processes("%u:900:0 %u:100:97", OTHER, (unsigned)getpid());
    struct cb_look look = look_at_processes(&processes);
    assert_null(look.sign); /* it is there, and does nothing */
    assert_int_equal(look.processes, 1);
    assert_true(look.bytes == 900 * MIB);
    set_processes("%u:900:40 %u:100:97", OTHER, (unsigned)getpid());
    look = look_at_processes(&processes);
    assert_string_equal(look.sign, CB_SIGN_NVML);
    assert_true(look.share == 0.2); /* the mean of what was told */
    set_processes("%u:900:0", OTHER);
    look = look_at_processes(&processes);
    assert_string_equal(look.sign, CB_SIGN_NVML); /* it is taken to go on */
    set_processes("%u:100:97", (unsigned)getpid());
    look = look_at_processes(&processes);
    assert_null(look.sign);
    assert_int_equal(look.processes, 0);
    cb_nvml_close(&processes.nvml);
    unsetenv("FAKE_NVML_PROCESSES");
}

/* Short runs in a row know what the one before them could see. */
TEST(processes_that_were_at_work_before)
{
    struct cb_gpu_processes processes;
    set_processes("%u:900:5", OTHER);
    setenv("FAKE_NVML_AGO", "8", 1);
    open_processes(&processes);
    assert_string_equal(look_at_processes(&processes).sign, CB_SIGN_NVML);
    cb_nvml_close(&processes.nvml);
    setenv("FAKE_NVML_AGO", "12", 1);
    open_processes(&processes);
    assert_null(look_at_processes(&processes).sign);
    cb_nvml_close(&processes.nvml);
    unsetenv("FAKE_NVML_AGO");
    unsetenv("FAKE_NVML_PROCESSES");
}

/* NVML has other numbers for processes than they have in a container: a new one may be ours. */
TEST(processes_of_another_name_space)
{
    struct cb_gpu_processes processes;
    set_processes("77777777:900:0");
    open_processes(&processes);
    set_processes("77777777:900:0 88888888:100:97");
    assert_null(look_at_processes(&processes).sign);
    set_processes("77777777:900:30 88888888:100:97");
    assert_true(look_at_processes(&processes).share == 0.15);
    cb_nvml_close(&processes.nvml);
    unsetenv("FAKE_NVML_PROCESSES");
}

/* One that computes and draws is one process. */
TEST(processes_that_draw)
{
    struct cb_gpu_processes processes;
    set_processes("%u:900:0", OTHER);
    setenv("FAKE_NVML_GRAPHICS", "yes", 1);
    open_processes(&processes);
    const struct cb_look look = look_at_processes(&processes);
    assert_int_equal(look.processes, 1);
    assert_true(look.bytes == 900 * MIB);
    cb_nvml_close(&processes.nvml);
    unsetenv("FAKE_NVML_GRAPHICS");
    unsetenv("FAKE_NVML_PROCESSES");
}
