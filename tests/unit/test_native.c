/* SPDX-License-Identifier: Apache-2.0
 *
 * The barrier of the CPU's own threads.
 */

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "probes/primitives/native.h"
#include "tests/unit/unit.h"

static int threads_allowed = INT_MAX; /* of all tests of the program but these */

typedef int pthread_create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* The program's own comes before the library's: a system that has no more threads to give. */
int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    static pthread_create_function *real;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    return threads_allowed-- > 0 ? real(id, attributes, start, argument) : EAGAIN;
}

static double passes(unsigned threads, unsigned rounds)
{
    double time_ns = -1;
    unsigned errors = 99;
    struct cb_err err = {CB_OK, ""};
    threads_allowed = (int)threads;
    if (cb_native_barrier(threads, rounds, &time_ns, &errors, &err) != CB_OK)
        fail_msg("%u threads: %s", threads, err.text);
    assert_int_equal(threads_allowed, 0); /* as many as were asked for */
    assert_int_equal(errors, 0);
    assert_true(time_ns > 0);
    return time_ns;
}

TEST(one_thread_waits_for_nobody)
{
    double few = passes(1, 1000), many = passes(1, 1000000);
    assert_true(many > few);
    assert_true(many > 100000); /* 0.1 ns a barrier: the rounds are done */
}

TEST(threads_meet)
{
    for (unsigned threads = 2; threads <= 8; threads *= 2) {
        passes(threads, 1);
        passes(threads, 500);
    }
}

/* A short run leaves most to the last barrier, after which each looks at another's phase. */
TEST(often)
{
    for (int i = 0; i < 200; i++)
        passes(8, 1);
}

/* Those that were started end, although they will never be complete. */
TEST(too_few_threads)
{
    for (int allowed = 0; allowed < 8; allowed++) {
        double time_ns;
        unsigned errors;
        struct cb_err err = {CB_OK, ""};
        threads_allowed = allowed;
        assert_int_equal(cb_native_barrier(8, 100, &time_ns, &errors, &err), CB_ERROR);
        assert_string_equal(err.text, "cannot start 8 threads");
    }
}
