/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory between pages: accesses outside of it, in child processes, which they end.
 */
#include "tests/unit/unit.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/host/error.h"
#include "runtime/host/guarded.h"

static int64_t told[2]; /* which memory and where, as the child says */
static int tells;

static void tell(int which, int64_t at)
{
    const int64_t what[2] = {which, at};
    _exit(write(tells, what, sizeof what) == sizeof what ? 7 : 1);
}

/* What a child says that accesses a byte of memory of so many bytes; false: nothing. */
static bool accesses(size_t bytes, size_t alignment, int64_t at, bool writes)
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        tells = ends[1];
        (void)cb_guarded_reserve(100, 1, tell);
        int which = cb_guarded_reserve(bytes, alignment, tell);
        volatile unsigned char *memory = which < 0 ? NULL : cb_guarded_memory(which);
        if (!memory || (uintptr_t)memory % alignment != 0)
            _exit(2);
        unsigned char seen = memory[at];
        if (writes)
            memory[at] = (unsigned char)(seen + 1);
        _exit(0);
    }
    close(ends[1]);
    const bool said = read(ends[0], told, sizeof told) == sizeof told;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), said ? 7 : 0);
    return said;
}

TEST(outside)
{
    static const size_t sizes[] = {1, 63, 225, 4096, 4100, 1000000};
    for (size_t i = 0; i < CB_COUNTOF(sizes); i++) {
        const int64_t n = (int64_t)sizes[i];
        const int64_t outside[] = {n, n + 80000, n + ((int64_t)1 << 34), -((int64_t)1 << 34)};
        assert_false(accesses(sizes[i], 1, 0, true));
        assert_false(accesses(sizes[i], 1, n - 1, true));
        for (size_t k = 0; k < CB_COUNTOF(outside); k++) {
            assert_true(accesses(sizes[i], 1, outside[k], k % 2));
            assert_int_equal(told[0], 1);
            assert_int_equal(told[1], outside[k]);
        }
    }
    assert_true(accesses(8192, 1, -1, false)); /* whole pages: the one before is the guard's, too */
    assert_int_equal(told[1], -1);
    assert_true(accesses(4096 - 128, 128, 4096, false));
    assert_false(accesses(4096 - 128, 128, 4096 - 129, false));
}

static void fill(int which, int64_t at, void *to, size_t bytes)
{
    memset(to, at < 0 ? 5 : 10 + which, bytes);
}

TEST(learnt)
{
    int64_t first, end, page = sysconf(_SC_PAGESIZE);
    int a = cb_guarded_reserve(0, 1, tell), b = cb_guarded_reserve(0, 1, tell);
    assert_true(a >= 0 && b >= 0);
    cb_guarded_learn(fill, 100);
    volatile unsigned char *at = cb_guarded_memory(a), *other = cb_guarded_memory(b);
    assert_int_equal(at[3], 10 + a);
    assert_int_equal(at[5 * page + 1], 10 + a);
    assert_int_equal(at[-1], 5);
    at[3] = 99;
    assert_int_equal(at[3], 99);
    cb_guarded_touched(a, &first, &end);
    assert_int_equal(first, -page);
    assert_int_equal(end, 6 * page);
    cb_guarded_touched(b, &first, &end);
    assert_true(first == 0 && end == 0);
    other[0] = 1;
    cb_guarded_touched(b, &first, &end);
    assert_true(first == 0 && end == page);
    cb_guarded_learn(NULL, 0);
    cb_guarded_release(a);
    cb_guarded_release(b);
    assert_int_equal(cb_guarded_reserve(10, 2, tell), a); /* its number is free again */
    cb_guarded_release(a);
}
