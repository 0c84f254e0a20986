/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels in ordinary OpenCL C, as the merge tool reads them. libclang parses them, so this is
 * slow.
 */
#include "merge/merge.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cb_merge_source source = {.path = fuzz_file("kernel.cl", data, size)};
    struct cb_merge_kernel kernel = {0};
    struct cb_err err;
    if (cb_merge(&source, 1, fuzz_sink(), &kernel, &err) == CB_OK)
        cb_merge_plain(source.path, fuzz_sink(), &err);
    cb_merge_kernel_free(&kernel);
    return 0;
}
