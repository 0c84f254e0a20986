/* SPDX-License-Identifier: Apache-2.0
 *
 * Setups of users' kernels, for a kernel with a parameter of each kind.
 */
#include "apps/host/setup.h"
#include "tests/fuzz/fuzz.h"

#define MOST_BYTES 65536 /* of a buffer that is filled */

static struct cb_merge_parameter parameters[] = {
    {"const global uint *", "input"},
    {"global float4 *", "out"},
    {"uint", "n"},
    {"double2", "factor"},
    {"local uint *", "room"},
};
static const struct cb_merge_kernel kernel = {
    .name = "k", .parameters = parameters, .n_parameters = CB_COUNTOF(parameters), .is_task = true};

static void fill(const struct cb_setup_argument *argument)
{
    unsigned char value[128], buffer[MOST_BYTES + CB_SETUP_GUARD_BYTES];
    if (!argument->is_pointer)
        cb_setup_value(argument, value);
    else if (!argument->is_local && argument->bytes <= MOST_BYTES)
        cb_setup_fill(argument, buffer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cb_setup setup;
    struct cb_err err;
    if (cb_setup_read(fuzz_file("setup.json", data, size), &setup, &err) == CB_OK &&
        cb_setup_read_arguments(&setup, &kernel, &err) == CB_OK) {
        for (unsigned i = 0; i < setup.n_arguments; i++)
            fill(&setup.arguments[i]);
        cb_setup_digest(&setup);
    }
    cb_setup_free(&setup);
    return 0;
}
