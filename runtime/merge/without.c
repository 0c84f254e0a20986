/* SPDX-License-Identifier: Apache-2.0
 *
 * In the place of the merge tool where there is no libclang.
 */
#include "runtime/merge/merge.h"

bool cb_merge_is_built(void)
{
    return false;
}

static enum cb_status lacks_libclang(struct cb_err *err)
{
    return cb_fail(err, CB_UNSUPPORTED,
                   "merge reads kernels by libclang, without which this program was built: install "
                   "it (Debian: libclang-dev), and build again");
}

enum cb_status cb_merge(const struct cb_merge_source *sources, int n, FILE *out,
                        struct cb_merge_kernel *kernel, struct cb_err *err)
{
    (void)sources, (void)n, (void)out, (void)kernel;
    return lacks_libclang(err);
}

enum cb_status cb_merge_plain(const struct cb_merge_source *source, FILE *out, struct cb_err *err)
{
    (void)source, (void)out;
    return lacks_libclang(err);
}
