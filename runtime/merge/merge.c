/* SPDX-License-Identifier: Apache-2.0
 *
 * Merging with enough stack: libclang, and what reads its tree, call themselves for each part of an
 * expression in another, and for each else after an if.
 */
#include "runtime/merge/merge.h"

#include <sys/resource.h>

#include "runtime/merge/write.h"

#define STACK_BYTES ((rlim_t)96 << 20) /* less than is kept free below the first thread's */

enum cb_status cb_merge(const struct cb_merge_source *sources, int n, FILE *out,
                        struct cb_merge_kernel *kernel, struct cb_err *err)
{
    struct rlimit before, more = {0};
    const bool is_small =
        getrlimit(RLIMIT_STACK, &before) == 0 && before.rlim_cur < STACK_BYTES; /* not infinite */
    if (is_small) {
        more = before;
        more.rlim_cur = STACK_BYTES < before.rlim_max ? STACK_BYTES : before.rlim_max;
        setrlimit(RLIMIT_STACK, &more); /* Linux asks for the limit when the stack grows */
    }
    const enum cb_status status = cb_merge_program(sources, n, out, kernel, err);
    if (is_small)
        setrlimit(RLIMIT_STACK, &before); /* for what this process begins */
    return status;
}
