/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL C with #include "...", the places in a log of its compiler, and its kernels with another
 * beginning, which leaves all lines where they are.
 */
#include "runtime/source.h"
#include "runtime/source_kernels.h"
#include "tests/fuzz/fuzz.h"

static size_t count_lines(const char *text)
{
    size_t n = 0;
    while ((text = strchr(text, '\n')))
        n++, text++;
    return n;
}

static void begin_with(const char *text, const char *name)
{
    static const struct cb_source_prologue prologue = {"int a", "a = 1;", "0"};
    struct cb_err err;
    char *out = NULL;
    cb_source_requires_size(text, name);
    fuzz_need(cb_source_defines(text, name), "a kernel that is listed is defined");
    if (cb_source_begin_with(text, name, &prologue, &out, &err) == CB_OK)
        fuzz_need(count_lines(out) == count_lines(text), "lines stay");
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *whole = NULL, *log = fuzz_text(data, size);
    struct cb_err err;
    if (cb_source_expand_users(fuzz_file("kernel.cl", data, size), NULL, &whole, &err) == CB_OK) {
        free(cb_source_map_log(whole, log));
        const cJSON *name;
        cJSON *kernels = cb_source_kernels(whole);
        cJSON_ArrayForEach (name, kernels)
            begin_with(whole, name->valuestring);
        cJSON_Delete(kernels);
    }
    free(whole);
    free(log);
    return 0;
}
