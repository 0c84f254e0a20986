/* SPDX-License-Identifier: Apache-2.0
 *
 * equal, equal128, power: children that do next to nothing, for the price of a launch (fill.cl).
 */
#include <stdlib.h>

#include "apps/nested/programs/nest_abi.h"
#include "apps/nested/programs/programs.h"
#include "measure/random.h"

#define SEED       1
#define MOST_ITEMS 4096u /* most work-items of a child of power */

static enum cb_status begin(const struct cb_nest_size *size, struct cb_nest_data *d,
                            struct cb_err *err)
{
    d->parents = size->parents;
    d->begins = calloc((size_t)size->parents + 1, sizeof *d->begins);
    return d->begins ? CB_OK : cb_fail(err, CB_ERROR, "out of memory for the input");
}

static enum cb_status fill(struct cb_nest_data *d, struct cb_err *err)
{
    const uint32_t words = d->begins[d->parents];
    if (cb_nest_room(d, d->parents, 0, words, words, err) != CB_OK)
        return err->status;
    for (uint32_t p = 0; p < d->parents; p++)
        for (uint32_t i = d->begins[p]; i < d->begins[p + 1] && nest_launches(p); i++)
            d->expected[i] = nest_word(p, i - d->begins[p]);
    return CB_OK;
}

static enum cb_status make_equal(const struct cb_nest_size *size, const char *input,
                                 struct cb_nest_data *d, struct cb_err *err)
{
    (void)input;
    if (begin(size, d, err) != CB_OK)
        return err->status;
    for (uint32_t p = 0; p < d->parents; p++)
        d->begins[p + 1] = d->begins[p] + size->items;
    return fill(d, err);
}

/* A child of at least n work-items is n times as seldom as any. */
static enum cb_status make_power(const struct cb_nest_size *size, const char *input,
                                 struct cb_nest_data *d, struct cb_err *err)
{
    struct cb_random random = {SEED};
    (void)input;
    if (begin(size, d, err) != CB_OK)
        return err->status;
    for (uint32_t p = 0; p < d->parents; p++) {
        uint32_t n = MOST_ITEMS / (uint32_t)(1 + cb_random_below(&random, MOST_ITEMS));
        d->begins[p + 1] = d->begins[p] + n;
    }
    return fill(d, err);
}

#define FILL(program, make_it, items)                                                              \
    {                                                                                              \
        .id = program, .kernel = "apps/nested/programs/fill.cl", .parent_size = 256,               \
        .child_size = 32, .phases = 1, .launching = 1, .same_rounds = true,                        \
        .sizes = {{1024, items}, {16384, items}, {262144, items}}, .make = make_it,                \
    }

const struct cb_nest_program cb_nest_equal = FILL("equal", make_equal, 32),
                             cb_nest_equal128 = FILL("equal128", make_equal, 128),
                             cb_nest_power = FILL("power", make_power, 0);
