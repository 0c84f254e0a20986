/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL C with #include "...", and the places in a log of its compiler.
 */
#include "runtime/source.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *whole = NULL, *log = fuzz_text(data, size);
    struct cb_err err;
    if (cb_source_expand_users(fuzz_file("kernel.cl", data, size), &whole, &err) == CB_OK)
        free(cb_source_map_log(whole, log));
    free(whole);
    free(log);
    return 0;
}
