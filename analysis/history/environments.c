/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/history/environments.h"

#include <string.h>

#include "analysis/compare/mismatch.h"

#define MOST 64 /* environments that may come back */

/* Environments by their last values, newest first. */
struct met {
    int last[MOST];
    int n;
};

bool cb_series_differ(const struct cb_stored_run *runs, const struct cb_series_value *before,
                      const struct cb_series_value *now, char *why, size_t size)
{
    why[0] = '\0';
    return before->c != now->c && cb_mismatch(&runs[before->run].layout->table, before->c,
                                              &runs[now->run].layout->table, now->c, 0, why, size);
}

/* The place of the environment that a value is of; -1: it is new. */
static int find(const struct cb_stored_run *runs, const struct cb_case_series *s,
                const struct met *met, int value)
{
    const struct cb_series_value *now = &s->values[value];
    char why[64];
    for (int i = 0; i < met->n; i++) {
        if (!cb_series_differ(runs, &s->values[met->last[i]], now, why, sizeof why))
            return i;
    }
    return -1;
}

/* Puts a value in front, in the place of that of the same environment, if there is one. */
static void put_first(struct met *met, int place, int value)
{
    if (place < 0 && met->n < MOST)
        place = met->n++;
    else if (place < 0)
        place = MOST - 1;
    memmove(&met->last[1], &met->last[0], (size_t)place * sizeof met->last[0]);
    met->last[0] = value;
}

void cb_series_find_environments(const struct cb_stored_run *runs, struct cb_case_series *s)
{
    struct met met = {.n = 0};
    s->n_environments = 0;
    for (int i = 0; i < s->n; i++) {
        const int place = find(runs, s, &met, i);
        s->values[i].environment =
            place < 0 ? s->n_environments++ : s->values[met.last[place]].environment;
        put_first(&met, place, i);
    }
}
