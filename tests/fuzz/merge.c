/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels in ordinary OpenCL C, as the merge tool reads them. libclang parses them, so this is
 * slow: it takes some milliseconds for an empty one, even without sanitizers.
 */
#include "runtime/merge/merge.h"
#include "tests/fuzz/fuzz.h"

/* libclang allocates much, none of which has to be kept for long. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=4:malloc_context_size=4";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cb_merge_source source = {.path = fuzz_file("kernel.cl", data, size)};
    struct cb_merge_kernel kernel = {0};
    struct cb_err err;
    setenv("LIBCLANG_NOTHREADS", "1", 1); /* it would begin a thread for each parse */
    if (cb_merge(&source, 1, fuzz_sink(), &kernel, &err) == CB_OK)
        cb_merge_plain(&source, fuzz_sink(), &err);
    cb_merge_kernel_free(&kernel);
    return 0;
}
