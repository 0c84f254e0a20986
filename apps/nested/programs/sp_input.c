/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/nested/programs/sp_input.h"

#include <string.h>

#include "apps/nested/programs/clauses.h"
#include "apps/nested/programs/sp_abi.h"
#include "measure/random.h"

#define SEED 18 /* seed of inputs whose surveys come to rest, and soon */

/* Each variable's occurrences, in the order of clauses. */
static void number_occurrences(struct cb_nest_data *d, const struct cb_clauses *c, uint32_t all)
{
    uint32_t *begins = d->others + all, *of_clauses = begins + c->n + 1;
    for (uint32_t i = 0; i < all; i++)
        d->begins[(c->literals[i] >> 1) + 1]++;
    for (uint32_t v = 0; v < d->parents; v++)
        d->begins[v + 1] += d->begins[v];
    for (uint32_t k = 0; k < c->n; k++)
        for (uint32_t i = begins[k] = c->begins[k]; i < c->begins[k + 1]; i++) {
            of_clauses[i] = d->begins[c->literals[i] >> 1]++;
            d->others[of_clauses[i]] = SP_OCCURRENCE(k, c->literals[i] & 1);
        }
    begins[c->n] = all;
    memmove(d->begins + 1, d->begins, d->parents * sizeof *d->begins);
    d->begins[0] = 0;
}

static enum cb_status fill(struct cb_nest_data *d, const struct cb_clauses *c, cb_sp_words *words,
                           struct cb_err *err)
{
    const uint32_t all = cb_clauses_literals(c);
    struct cb_random random = {SEED};
    if (cb_nest_room(d, c->variables, 2 * (size_t)all + c->n + 1, words(all, c->n, c->variables),
                     (size_t)all + 2, err) != CB_OK)
        return err->status;
    d->n = c->n;
    number_occurrences(d, c, all);
    for (uint32_t i = 0; i < all; i++)
        d->words[i] = cb_nest_bits((float)((double)(cb_random_next(&random) >> 40) / (1u << 24)));
    return CB_OK;
}

enum cb_status cb_sp_input(const struct cb_nest_size *size, const char *input, cb_sp_words *words,
                           struct cb_nest_data *d, struct cb_err *err)
{
    struct cb_clauses c;
    enum cb_status status = input ? cb_clauses_load(input, &c, err)
                                  : cb_clauses_draw(size->parents, size->items, SEED, &c, err);
    if (status == CB_OK)
        status = fill(d, &c, words, err);
    cb_clauses_free(&c);
    return status;
}
