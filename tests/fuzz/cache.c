/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries of the folder of built programs.
 */
#include <inttypes.h>

#include "runtime/cache.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cb_cache_key key = cb_cache_key_start();
    char name[64];
    void *content;
    size_t length;
    setenv("COOPBENCH_CACHE_DIR", fuzz_place(), 1);
    snprintf(name, sizeof name, "%016" PRIx64 "%016" PRIx64 ".entry", key.high, key.low);
    fuzz_file(name, data, size);
    if (cb_cache_get(key, &content, &length))
        free(content);
    return 0;
}
