/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/launch/promotion/programs.h"

#include <string.h>

#include "kernels/local_memory.h"
#include "measure/random.h"
#include "probes/launch/promotion/chain_abi.h"

#define SEED        1
#define MOST_HEIGHT 65000u
#define ROUGHNESS   500u
#define PAD         8u /* columns of padding */

/* ---- Inputs ---------------------------------------------------------------------------------- */

static void fill_below(const struct cb_chain_size *size, uint32_t *data, uint32_t below)
{
    struct cb_random random = {SEED};
    for (uint32_t i = 0; i < size->n; i++)
        data[i] = (uint32_t)cb_random_below(&random, below);
}

static void fill_any(const struct cb_chain_size *size, uint32_t *data)
{
    fill_below(size, data, 1u << 31);
}

/* Fills heights that rise more and more, so that some points are seen everywhere, and others are
 * not. */
static void fill_heights(const struct cb_chain_size *size, uint32_t *data)
{
    fill_below(size, data, ROUGHNESS);
    for (uint64_t i = 0; i < size->n; i++)
        data[i] += (uint32_t)(MOST_HEIGHT * i / size->n * i / size->n);
}

/* Fills elements of which every third equals the one before it. */
static void fill_alike(const struct cb_chain_size *size, uint32_t *data)
{
    fill_below(size, data, 3);
}

/* ---- References ------------------------------------------------------------------------------ */

static void reference_sc(const struct cb_chain_size *size, const uint32_t *data,
                         struct cb_chain_arrays *result)
{
    for (uint32_t i = 0; i < size->n; i++)
        if (chain_keeps(data[i]))
            result->data[result->n_data++] = data[i];
}

static void reference_pt(const struct cb_chain_size *size, const uint32_t *data,
                         struct cb_chain_arrays *result)
{
    reference_sc(size, data, result);
    for (uint32_t i = 0; i < size->n; i++)
        if (!chain_keeps(data[i]))
            result->out[result->n_out++] = data[i];
}

static void reference_unq(const struct cb_chain_size *size, const uint32_t *data,
                          struct cb_chain_arrays *result)
{
    for (uint32_t i = 0; i < size->n; i++)
        if (i == 0 || data[i] != data[i - 1])
            result->data[result->n_data++] = data[i];
}

static void reference_los(const struct cb_chain_size *size, const uint32_t *data,
                          struct cb_chain_arrays *result)
{
    uint32_t highest = 0; /* the highest point so far */
    for (uint32_t i = 0; i < size->n; i++) {
        bool is_seen = highest == 0 || chain_hides(data[0], data[i], i, data[highest], highest);
        result->out[result->n_out++] = is_seen;
        highest = is_seen ? i : highest;
    }
}

static void reference_pd(const struct cb_chain_size *size, const uint32_t *data,
                         struct cb_chain_arrays *result)
{
    const uint32_t to = size->columns + size->pad;
    /* Elements that are new are not looked at. */
    memcpy(result->data, data, size->n * sizeof *data);
    for (uint32_t row = size->n / size->columns; row-- > 0;)
        memmove(result->data + (size_t)row * to, data + (size_t)row * size->columns,
                size->columns * sizeof *data);
    result->n_data = (size_t)(size->n / size->columns) * to;
}

static void reference_upd(const struct cb_chain_size *size, const uint32_t *data,
                          struct cb_chain_arrays *result)
{
    const uint32_t to = size->columns - size->pad;
    for (uint32_t row = 0; row < size->n / size->columns; row++, result->n_data += to)
        memcpy(result->data + result->n_data, data + (size_t)row * size->columns,
               to * sizeof *data);
}

/* ---- The table ------------------------------------------------------------------------------- */

#define MATRIX(side)                                                                               \
    {                                                                                              \
        side *side, side, PAD                                                                      \
    }
#define ARRAYS                                                                                     \
    {                                                                                              \
        {15996}, {204800},                                                                         \
        {                                                                                          \
            25174016                                                                               \
        }                                                                                          \
    }
#define MATRICES                                                                                   \
    {                                                                                              \
        MATRIX(120), MATRIX(450), MATRIX(4600)                                                     \
    }
#define KERNEL(id) "probes/launch/promotion/" id ".cl"

const struct cb_chain_program cb_chain_programs[] = {
    {"los", KERNEL("los"), 256, 1, false, {{511}, {6399}, {49407}}, fill_heights, reference_los},
    {"pd", KERNEL("pd"), 512, 16, false, MATRICES, fill_any, reference_pd},
    {"pt", KERNEL("pt"), 512, 16, true, ARRAYS, fill_any, reference_pt},
    {"sc", KERNEL("sc"), 512, 16, true, ARRAYS, fill_any, reference_sc},
    {"unq", KERNEL("unq"), 512, 16, true, ARRAYS, fill_alike, reference_unq},
    {"upd", KERNEL("upd"), 512, 16, false, MATRICES, fill_any, reference_upd},
    {0},
};

const struct cb_chain_program *cb_chain_program_of(const char *id)
{
    for (const struct cb_chain_program *p = cb_chain_programs; p->id; p++)
        if (strcmp(p->id, id) == 0)
            return p;
    return NULL;
}

/* Where there is little local memory, a tile takes a quarter of it: a step that is a task shares it
 * with the room for arguments of tasks, which is half of 32 KiB (kernels/task_abi.h). */
unsigned cb_chain_each(const struct cb_chain_program *program, uint64_t local_bytes)
{
    unsigned each = program->each;
    if (program->arranges && CB_LOCAL_IS_LITTLE(local_bytes))
        while (each > 1 && program->wg_size * each * sizeof(uint32_t) > local_bytes / 4)
            each /= 2;
    return each;
}

uint32_t cb_chain_steps(const struct cb_chain_program *program, const struct cb_chain_size *size,
                        unsigned each)
{
    const uint32_t tile = program->wg_size * each;
    return (size->n + tile - 1) / tile;
}

size_t cb_chain_room(const struct cb_chain_size *size)
{
    return size->n + (size->columns ? (size_t)(size->n / size->columns) * size->pad : 0);
}
