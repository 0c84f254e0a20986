/* SPDX-License-Identifier: Apache-2.0
 *
 * The search for the longest kernel that is not seen (FSE'17 Section 5.2): upwards by factors until
 * one is seen, then by bisection between the two. It takes for granted that a longer kernel is seen
 * if a shorter one is.
 */
#pragma once

#include <stdbool.h>

#include "runtime/host/error.h"

struct cb_search {
    double least, most; /* what may be tried */
    double resolution;  /* it ends when the two differ by this share */
    void *self;
    enum cb_status (*try)(void *self, double t, bool *seen, struct cb_err *err);
};

struct cb_search_result {
    double unseen; /* the longest that was not seen; 0: even the least was */
    double before; /* the longest below it that was not seen; 0: none was tried */
    double seen;   /* the shortest that was seen; 0: not even the most was */
    unsigned tries;
};

enum cb_status cb_search(const struct cb_search *search, struct cb_search_result *result,
                         struct cb_err *err);

/* How many tries it takes at most. */
unsigned cb_search_tries(const struct cb_search *search);
