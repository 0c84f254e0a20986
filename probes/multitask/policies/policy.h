/* SPDX-License-Identifier: Apache-2.0
 *
 * How cooperative kernels in one megakernel share its workgroups: a policy says after each window
 * of time how many each is to have, by what the runtime has measured in it. It sees nothing else.
 */
#pragma once

#include <stdbool.h>

#include "kernels/coop_abi.h"

struct cb_policy_view {
    unsigned workers;                   /* to be shared */
    unsigned n;                         /* kernels, at most as many as workers */
    unsigned groups[COOP_MOST_KERNELS]; /* that each had in the window, */
    double rates[COOP_MOST_KERNELS];    /* and runs a second */
    unsigned share;                     /* what the user said of the first: workgroups, */
    double deadline_s;                  /* the time that one of its runs may take, */
    double rate;                        /* and its runs a second, at least */
    double watts;                       /* of the device in the window; NaN: not known */
};

#define CB_POLICY_TRIALS 24

/* What a policy remembers: zero at first. */
struct cb_policy_memory {
    unsigned windows; /* that it has seen */
    unsigned n_trials;
    struct {
        unsigned first;  /* workgroups of the first kernel */
        unsigned others; /* of all others */
        double rates[2];
        double watts;
        bool keeps_rate; /* of the first */
    } trials[CB_POLICY_TRIALS];
    unsigned low, high; /* bounds of what it looks for */
    unsigned step;      /* from one trial to the next */
    bool settled;
};

struct cb_policy {
    const char *name, *summary; /* summary: of --help, without the name */
    bool needs_power;           /* cannot do without a device that tells its watts */
    /* Before the first window (memory->windows is 0; there are no rates yet) and after each.
     * groups: of each kernel from now on, at least 1, together at most as many as there are.
     * Returns whether it has settled: what is measured counts from then on. */
    bool (*decide)(struct cb_policy_memory *memory, const struct cb_policy_view *view,
                   unsigned groups[COOP_MOST_KERNELS]);
};

/* A row each: X(name), of policies/NAME.c. */
#define CB_POLICIES(X)                                                                             \
    X(fixed)                                                                                       \
    X(priority)                                                                                    \
    X(learned)                                                                                     \
    X(deadline)                                                                                    \
    X(energy)

#define CB_POLICY_DECLARE(name) extern const struct cb_policy cb_policy_##name;
CB_POLICIES(CB_POLICY_DECLARE)

/* NULL: there is none of this name. */
const struct cb_policy *cb_policy_find(const char *name);

/* The first kernel has so many, within what can be; the others the rest, in even parts. */
void cb_policy_give_first(const struct cb_policy_view *view, unsigned first,
                          unsigned groups[COOP_MOST_KERNELS]);
