/* SPDX-License-Identifier: Apache-2.0
 *
 * Setups of users' kernels, for a kernel with a parameter of each kind.
 */
#include "apps/host/setup.h"
#include "tests/fuzz/fuzz.h"
#include "tests/layouts.h"

#define MOST_BYTES 65536 /* of a buffer that is filled */

static const struct cb_layout_member members[] = {
    {.name = "truth", .element = {'b', 1, 1}, .count = 1},
    {.name = "edges", .element = {'i', 4, 1}, .offset = 4, .count = 2, .is_shared = true},
    {.name = "either",
     .element = {'f', 2, 1},
     .offset = 8,
     .count = 1,
     .is_shared = true,
     .is_again = true},
};

static void fill(const struct cb_setup_argument *argument)
{
    unsigned char buffer[MOST_BYTES + CB_SETUP_GUARD_BYTES];
    if (argument->is_local || argument->layout.is_sampler || argument->bytes > MOST_BYTES)
        return;
    cb_setup_fill(argument, buffer);
    cb_setup_fill_part(argument, -5, buffer, 300);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cb_merge_parameter parameters[] = {
        {.type = "const global uint *", .name = "input", .space = CB_GLOBAL},
        {.type = "global float4 *", .name = "out", .space = CB_GLOBAL},
        {.type = "uint", .name = "n", .space = CB_BY_VALUE},
        {.type = "double2", .name = "factor", .space = CB_BY_VALUE},
        {.type = "local uint *", .name = "room", .space = CB_LOCAL},
        {.type = "global node *", .name = "nodes", .space = CB_GLOBAL},
        {.type = "node", .name = "node", .space = CB_BY_VALUE},
        {.type = "image3d_t", .name = "picture", .space = CB_BY_VALUE},
        {.type = "sampler_t", .name = "at", .space = CB_BY_VALUE},
    };
    static const char *const types[] = {"u4", "f4x4", "u4", "f8x2", "u4"};
    static const struct cb_image image = {"image3d_t", 3, false, false};
    struct cb_merge_kernel kernel = {.name = "k",
                                     .parameters = parameters,
                                     .n_parameters = CB_COUNTOF(parameters),
                                     .is_task = true};
    struct cb_setup setup;
    struct cb_err err;
    for (size_t i = 0; i < CB_COUNTOF(types); i++)
        parameters[i].layout = layout_of(types[i]);
    parameters[5].layout = record_of(12, members, CB_COUNTOF(members));
    parameters[6].layout = record_of(12, members, CB_COUNTOF(members));
    parameters[7].layout = (struct cb_layout){.image = image};
    parameters[8].layout = (struct cb_layout){.is_sampler = true};
    if (cb_setup_read(fuzz_file("setup.json", data, size), &setup, &err) == CB_OK &&
        cb_setup_read_arguments(&setup, &kernel, &err) == CB_OK) {
        for (unsigned i = 0; i < setup.n_arguments; i++)
            fill(&setup.arguments[i]);
        cb_setup_digest(&setup);
    }
    cb_setup_free(&setup);
    for (size_t i = 0; i < CB_COUNTOF(parameters); i++)
        cb_layout_free(&parameters[i].layout);
    return 0;
}
