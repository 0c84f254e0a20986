/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/nested/programs/clauses.h"

#include <stdlib.h>
#include <string.h>

#include "measure/random.h"

#define LITERALS 3u /* literals of a random clause */

/* Room for n, and twice as many as before, so that adding stays cheap. */
static uint32_t *grow(uint32_t *words, uint32_t *room, uint32_t n)
{
    if (n <= *room)
        return words;
    const uint32_t wanted = 2 * *room > n ? 2 * *room : n;
    uint32_t *more = realloc(words, wanted * sizeof *words);
    if (more)
        *room = wanted;
    return more;
}

enum cb_status cb_clauses_add(struct cb_clauses *c, const uint32_t *literals, uint32_t n,
                              struct cb_err *err)
{
    const uint32_t before = cb_clauses_literals(c);
    if (c->n >= CB_CLAUSES_MOST || n > CB_CLAUSES_MOST_LITERALS - before)
        return cb_fail(err, CB_USAGE, "more than %u clauses or %u literals", CB_CLAUSES_MOST,
                       CB_CLAUSES_MOST_LITERALS);
    uint32_t *begins = grow(c->begins, &c->room_begins, c->n + 2);
    c->begins = begins ? begins : c->begins;
    uint32_t *all = grow(c->literals, &c->room_literals, before + n);
    c->literals = all ? all : c->literals;
    if (!begins || !all)
        return cb_fail(err, CB_ERROR, "out of memory for clauses");
    memcpy(all + before, literals, n * sizeof *literals);
    begins[c->n] = before;
    begins[++c->n] = before + n;
    return CB_OK;
}

void cb_clauses_free(struct cb_clauses *c)
{
    free(c->begins);
    free(c->literals);
    *c = (struct cb_clauses){0};
}

/* A variable that none of the n literals is of. */
static uint32_t draw_other(struct cb_random *random, uint32_t variables, const uint32_t *literals,
                           uint32_t n)
{
    uint32_t variable, i;
    do {
        variable = cb_random_below(random, variables);
        for (i = 0; i < n && literals[i] >> 1 != variable; i++)
            ;
    } while (i < n);
    return variable;
}

enum cb_status cb_clauses_draw(uint32_t variables, uint32_t n, uint64_t seed, struct cb_clauses *c,
                               struct cb_err *err)
{
    struct cb_random random = {seed};
    enum cb_status status = CB_OK;
    *c = (struct cb_clauses){.variables = variables};
    for (uint32_t k = 0; k < n && status == CB_OK; k++) {
        uint32_t literals[LITERALS];
        for (uint32_t i = 0; i < LITERALS; i++)
            literals[i] =
                draw_other(&random, variables, literals, i) << 1 | cb_random_below(&random, 2);
        status = cb_clauses_add(c, literals, LITERALS, err);
    }
    return status;
}
