/* SPDX-License-Identifier: Apache-2.0
 *
 * Survey inspired decimation (sid.cl).
 */
#include <stdlib.h>

#include "apps/nested/programs/sid_abi.h"
#include "apps/nested/programs/sid_reference.h"
#include "apps/nested/programs/sp_input.h"
#include "apps/nested/programs/sp_reference.h"

/* A run on the host, whose roundings are larger, has to be right within this part of the tolerance:
 * so one of kernels is right within all of it. */
#define PART 0.1

/* Refuses clauses on which roundings grow, and decide what is fixed: no check could tell a wrong
 * result from a right one. */
static enum cb_status try_on_host(const struct cb_nest_data *d, struct cb_err *err)
{
    char why[CB_NEST_WHY] = "";
    uint32_t *words = malloc(d->n_words * sizeof *words);
    enum cb_status status = CB_OK;
    if (!words || !cb_sid_run(d, words))
        status = cb_fail(err, CB_ERROR, "out of memory for decimation");
    else if (!cb_sid_check(d, words, PART * CB_SURVEYS_TOLERANCE, why))
        status = cb_fail(err, CB_USAGE,
                         "roundings decide what decimation makes of these clauses, so that no "
                         "result could be checked: try others, or fewer for each variable (%s)",
                         why);
    free(words);
    return status;
}

static enum cb_status make(const struct cb_nest_size *size, const char *input,
                           struct cb_nest_data *d, struct cb_err *err)
{
    if (cb_sp_input(size, input, sid_words, d, err) != CB_OK)
        return err->status;
    const uint32_t all = d->begins[d->parents], *begins = d->others + all;
    for (uint32_t c = 0; c < d->n; c++)
        d->words[sid_left(all) + c] = begins[c + 1] - begins[c];
    return input && try_on_host(d, err) != CB_OK ? cb_context(err, "%s", input) : CB_OK;
}

static bool check(const struct cb_nest_data *d, const uint32_t *found, char why[CB_NEST_WHY])
{
    return cb_sid_check(d, found, CB_SURVEYS_TOLERANCE, why);
}

const struct cb_nest_program cb_nest_sid = {
    .id = "sid",
    .kernel = "apps/nested/programs/sid.cl",
    .parent_size = 384,
    .child_size = 64,
    .phases = 2,
    .launching = 1,
    .has_laps = true,
    .same_rounds = true,
    /* Where sp has more clauses, surveys come to rest each time with these, and soon. */
    .sizes = {{200, 820}, {1000, 4100}, {10000, 42000}},
    .takes = "clauses",
    .make = make,
    .check = check,
};
