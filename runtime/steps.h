/* SPDX-License-Identifier: Apache-2.0
 *
 * Plain kernels that the host launches step after step, none of whose workgroups wait for each
 * other: how applications synchronise without a barrier between workgroups.
 *
 *     cb_steps_open(&steps, session, "apps/color/baseline.cl", 256, err);
 *     cb_steps_launch(&steps, "color_find", vertices, values, n, err);    any number of times
 *     cb_buffer_read(session, flag, ...);                                 waits for all before it
 *     cb_steps_close(&steps);
 */
#pragma once

#include "runtime/session.h"

#define CB_STEPS_KERNELS 8  /* most kernels of a program */
#define CB_STEPS_VALUES  16 /* most values of a kernel, with the number of the round */

struct cb_steps {
    struct cb_session *session;
    cl_program program;
    size_t wg_size; /* work-items a workgroup */
    struct {
        char name[32];
        cl_kernel kernel;
    } kernels[CB_STEPS_KERNELS];
    int n;
};

/* Builds the program. Close it also after a failure. */
enum cb_status cb_steps_open(struct cb_steps *steps, struct cb_session *session, const char *path,
                             size_t wg_size, struct cb_err *err);
void cb_steps_close(struct cb_steps *steps);

/* Launches a kernel of the program over at least `items` work-items, in whole workgroups, with
 * these arguments, and does not wait. The kernel has to leave out the work-items that are too many.
 */
enum cb_status cb_steps_launch(struct cb_steps *steps, const char *name, size_t items,
                               const struct cb_kernel_value *values, size_t n, struct cb_err *err);

/* An algorithm of rounds, each of the same steps. Its kernels take the number of the round, from 0,
 * and then the same values (kernels/steps.clh). */
struct cb_rounds {
    const char *begin, *end;             /* kernels: before the first round, and after the last */
    const char *steps[CB_STEPS_KERNELS]; /* kernels of a round, up to a NULL */
    size_t items;                        /* work-items of each */
    cl_mem flag;  /* flag, one word: zero before a round; a round that leaves it so is the last */
    cl_uint most; /* rounds that there can be; CB_VERIFY_FAILED if there are more */
};

/* One round: clears the flag, launches the steps, reads the flag. values[0] is the number of the
 * round. *last: the flag was left at zero. */
enum cb_status cb_steps_round(struct cb_steps *steps, const struct cb_rounds *rounds,
                              const struct cb_kernel_value *values, size_t n, bool *last,
                              struct cb_err *err);

/* Runs all of it. The host reads the flag after each round, and does not wait for the end. */
enum cb_status cb_steps_rounds(struct cb_steps *steps, const struct cb_rounds *rounds,
                               const struct cb_kernel_value *values, size_t n, struct cb_err *err);
