/* SPDX-License-Identifier: Apache-2.0
 *
 * Two and three dimensions of cooperative kernels. Active workgroups stand in a row, which is
 * dimension 0; the work-items of one have the sides that the kernel requires, or are a row, too. So
 * a kernel that goes through all places from its ids on, in steps of the sizes, comes to all.
 */
#include "runtime/merge/write.h"

bool cb_merge_has_sides(const struct cb_merge_unit *u)
{
    size_t required[3] = {0};
    cb_merge_required(u, required);
    return required[1] > 1 || required[2] > 1;
}

/* What the kernel and all that it calls ask for. */
static struct cb_merge_asked asked_by_all(const struct cb_merge_unit *u, int what)
{
    struct cb_merge_asked all = {0};
    for (int i = 0; i < u->n_functions; i++) {
        const struct cb_merge_function *f = &u->functions[i];
        if (!f->is_called && i != u->kernel)
            continue;
        all.any_at = all.any_at ? all.any_at : f->asked[what].any_at;
        for (int d = 1; d < 3; d++)
            if (f->asked[what].at[d]) {
                all.at[d] = all.at[d] ? all.at[d] : f->asked[what].at[d];
                all.dimensions |= 1u << d;
            }
    }
    return all;
}

void cb_merge_check_sides(struct cb_merge_unit *u)
{
    const struct cb_merge_asked places = asked_by_all(u, CB_PLACES),
                                items = asked_by_all(u, CB_ITEMS);
    const unsigned steps = asked_by_all(u, CB_STEPS).dimensions,
                   sides = asked_by_all(u, CB_SIDES).dimensions;
    for (int d = 1; d < 3; d++) {
        if (places.dimensions & ~steps & 1u << d)
            cb_merge_problem(
                u, places.at[d],
                "an id of dimension %d, and no size: active workgroups stand in a row, "
                "and their number changes. Go through all places: for (size_t y = "
                "get_global_id(%d); y < height; y += get_global_size(%d))",
                d, d, d);
        if (items.dimensions & ~sides & 1u << d && !cb_merge_has_sides(u))
            cb_merge_problem(u, items.at[d],
                             "get_local_id(%d), and no get_local_size(%d): say what sides "
                             "workgroups have, as __attribute__((reqd_work_group_size(8, 8, 1)))",
                             d, d);
    }
    if (places.any_at && !(steps & 2u))
        cb_merge_warn(u, places.any_at,
                      "an id of a dimension that is no number here: of another than 0 there is no "
                      "size, and active workgroups stand in a row");
    if (items.any_at && !(sides & 2u) && !cb_merge_has_sides(u))
        cb_merge_warn(u, items.any_at,
                      "get_local_id() of a dimension that is no number here: of another than 0 it "
                      "is 0, unless the kernel says what sides workgroups have, as "
                      "__attribute__((reqd_work_group_size(8, 8, 1)))");
}

void cb_merge_write_sides(const struct cb_merge_unit *u, FILE *out)
{
    size_t required[3] = {0}, all = 1;
    cb_merge_required(u, required);
    for (int d = 0; d < 3; d++)
        all *= required[d];
    if (all == 0)
        return;
    fprintf(out,
            "#if COOP_WG_SIZE != %zu\n#error the kernel requires workgroups of %zu work-items\n"
            "#endif\n",
            all, all);
    if (cb_merge_has_sides(u))
        fprintf(out,
                "#define COOP_SIDE_X %zuu\n#define COOP_SIDE_Y %zuu\n#define COOP_SIDE_Z %zuu\n"
                "#include \"sides.clh\"\n",
                required[0], required[1], required[2]);
}
