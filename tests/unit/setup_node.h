/* SPDX-License-Identifier: Apache-2.0
 *
 * A structure of which tests of setups have buffers.
 */
#pragma once

#include "setup_fixture.h"
#include "tests/layouts.h"

/* typedef struct { bool is_root; int starting; float3 at; short edges[3]; } node; */
static const struct cb_layout_member node_members[] = {
    {.name = "is_root", .element = {'b', 1, 1}, .offset = 0, .count = 1},
    {.name = "starting", .element = {'i', 4, 1}, .offset = 4, .count = 1},
    {.name = "at", .element = {'f', 4, 3}, .offset = 16, .count = 1},
    {.name = "edges", .element = {'i', 2, 1}, .offset = 32, .count = 3},
};
#define NODE_BYTES 48

static inline struct cb_layout node(void)
{
    return record_of(NODE_BYTES, node_members, CB_COUNTOF(node_members));
}

struct node {
    uint8_t is_root, pad1[3];
    int32_t starting;
    uint8_t pad2[8];
    float at[4];
    int16_t edges[3];
    uint8_t pad3[10];
};
_Static_assert(sizeof(struct node) == NODE_BYTES, "as OpenCL C has it");
