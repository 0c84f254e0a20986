/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/graphics/analysis/search.h"

#include <math.h>

#define FACTOR 4.0

static enum cb_status try_one(const struct cb_search *s, double t, struct cb_search_result *r,
                              struct cb_err *err)
{
    bool seen = false;
    r->tries++;
    if (s->try(s->self, t, &seen, err) != CB_OK)
        return err->status;
    if (seen) {
        r->seen = t;
    } else {
        r->before = r->unseen;
        r->unseen = t;
    }
    return CB_OK;
}

enum cb_status cb_search(const struct cb_search *s, struct cb_search_result *r, struct cb_err *err)
{
    *r = (struct cb_search_result){0};
    for (double t = s->least; r->seen == 0 && r->unseen < s->most; t = fmin(t * FACTOR, s->most))
        if (try_one(s, t, r, err) != CB_OK)
            return err->status;
    while (r->unseen > 0 && r->seen > r->unseen * (1 + s->resolution))
        if (try_one(s, sqrt(r->unseen * r->seen), r, err) != CB_OK)
            return err->status;
    return CB_OK;
}

unsigned cb_search_tries(const struct cb_search *s)
{
    double upwards = 1 + ceil(log(s->most / s->least) / log(FACTOR) - 1e-9);
    double bisections = ceil(log2(log(FACTOR) / log(1 + s->resolution)) - 1e-9);
    return (unsigned)(upwards + fmax(0, bisections));
}
