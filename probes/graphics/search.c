/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/graphics/search.h"

#include <math.h>

#define FACTOR  4.0
#define EXTRA   2 /* tries, beyond what the way up and the bisection take */
#define HISTORY 64

/* A search under way: what was tried and not seen. */
struct history {
    double unseen[HISTORY];
    unsigned n;
};

static enum cb_status try_one(const struct cb_search *s, double t, bool *seen,
                              struct cb_search_result *r, struct cb_err *err)
{
    *seen = false;
    r->tries++;
    return s->try(s->self, t, seen, err);
}

static void note(struct history *h, struct cb_search_result *r, double t, bool seen)
{
    *(seen ? &r->seen : &r->unseen) = t;
    if (!seen && h->n < HISTORY)
        h->unseen[h->n++] = t;
}

static enum cb_status go_up(const struct cb_search *s, struct history *h,
                            struct cb_search_result *r, struct cb_err *err)
{
    bool seen;
    for (double t = s->least; r->seen == 0 && r->unseen < s->most; t = fmin(t * FACTOR, s->most)) {
        if (try_one(s, t, &seen, r, err) != CB_OK)
            return err->status;
        note(h, r, t, seen);
    }
    return CB_OK;
}

static enum cb_status bisect(const struct cb_search *s, struct history *h,
                             struct cb_search_result *r, struct cb_err *err)
{
    bool seen;
    while (r->unseen > 0 && r->seen > r->unseen * (1 + s->resolution) &&
           r->tries < cb_search_tries(s)) {
        double t = sqrt(r->unseen * r->seen);
        if (try_one(s, t, &seen, r, err) != CB_OK)
            return err->status;
        note(h, r, t, seen);
    }
    return CB_OK;
}

/* Tries the result again. If it is seen now, the longest below it that was not takes its place. */
static enum cb_status try_again(const struct cb_search *s, const struct history *h,
                                struct cb_search_result *r, struct cb_err *err)
{
    bool seen;
    const double t = r->unseen;
    if (try_one(s, t, &seen, r, err) != CB_OK)
        return err->status;
    r->twice = !seen;
    if (!seen)
        return CB_OK;
    r->seen = t;
    r->unseen = 0;
    for (unsigned i = 0; i < h->n; i++)
        if (h->unseen[i] < t && h->unseen[i] > r->unseen)
            r->unseen = h->unseen[i];
    return CB_OK;
}

enum cb_status cb_search(const struct cb_search *s, struct cb_search_result *r, struct cb_err *err)
{
    struct history h = {.n = 0};
    *r = (struct cb_search_result){0};
    if (go_up(s, &h, r, err) != CB_OK)
        return err->status;
    while (!r->twice && r->unseen > 0) {
        if (bisect(s, &h, r, err) != CB_OK)
            return err->status;
        if (r->tries >= cb_search_tries(s))
            return CB_OK;
        if (try_again(s, &h, r, err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

unsigned cb_search_tries(const struct cb_search *s)
{
    double upwards = 1 + ceil(log(s->most / s->least) / log(FACTOR) - 1e-9);
    double bisections = ceil(log2(log(FACTOR) / log(1 + s->resolution)) - 1e-9);
    return (unsigned)(upwards + fmax(0, bisections)) + EXTRA;
}
