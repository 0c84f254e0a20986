/* SPDX-License-Identifier: Apache-2.0
 *
 * How cooperative kernels in one megakernel share its workgroups: a policy says after each window
 * of time how many each is to have, by what the runtime has measured in it. It sees nothing else.
 */
#pragma once

#include <stdbool.h>

#include "kernels/coop_abi.h"

struct cb_policy_view {
    unsigned workers;                   /* workgroups to be shared */
    unsigned n;                         /* kernels, at most as many as workers */
    unsigned groups[COOP_MOST_KERNELS]; /* workgroups that each had in the window */
    double rates[COOP_MOST_KERNELS];    /* runs a second of each kernel */
    unsigned share;                     /* what the user said of the first: workgroups, */
    double deadline_s;                  /* the time that one of its runs may take, */
    double rate;                        /* least runs a second of the first kernel */
    double watts;                       /* power of the device in the window; NaN: not known */
};

#define CB_POLICY_TRIALS 24

/* What a policy remembers: zero at first. */
struct cb_policy_memory {
    unsigned windows; /* windows that it has seen */
    unsigned n_trials;
    struct {
        unsigned first;  /* workgroups of the first kernel */
        unsigned others; /* workgroups of all others */
        double rates[2];
        double watts;
        bool keeps_rate; /* the first kernel keeps its rate */
    } trials[CB_POLICY_TRIALS];
    unsigned low, high; /* bounds of what it looks for */
    unsigned step;      /* workgroups from one trial to the next */
    bool settled;
};

struct cb_policy {
    const char *name;
    bool takes_share;                /* is told --share: a case for each */
    bool takes_deadline, takes_rate; /* is told --app-deadline, --app-rate */
    bool needs_power; /* cannot do without a device that tells its watts, which it searches */
    /* Before the first window (memory->windows is 0; there are no rates yet) and after each.
     * groups: of each kernel from now on, at least 1, together at most as many as there are.
     * Returns whether it has settled: what is measured counts from then on. */
    bool (*decide)(struct cb_policy_memory *memory, const struct cb_policy_view *view,
                   unsigned groups[COOP_MOST_KERNELS]);
};

/* X(name, what it does, for --help), of cb_policy_<name> in policies/<name>.c. */
#define CB_POLICIES(X)                                                                             \
    X(fixed, "the first app has --share workgroups, the other the rest")                           \
    X(priority, "the first has all but one")                                                       \
    X(learned, "what a workgroup is worth to each is tried out, and the best stays")               \
    X(deadline, "the first has as few as end its runs within --app-deadline")                      \
    X(energy,                                                                                      \
      "both have what draws the fewest watts while the first keeps --app-rate, where the device "  \
      "tells its power ('coopbench throttle --help'), and the power of the other policies is "     \
      "measured, too")

#define CB_POLICY_DECLARE(name, does) extern const struct cb_policy cb_policy_##name;
CB_POLICIES(CB_POLICY_DECLARE)

/* "fixed,priority,...": the choices of an option, and what --help says of them. */
#define CB_POLICY_CHOICE(name, does)   "," #name
#define CB_POLICY_CHOICES              (("" CB_POLICIES(CB_POLICY_CHOICE)) + 1)
#define CB_POLICY_SENTENCE(name, does) " " #name ": " does "."
#define CB_POLICY_HELP                 CB_POLICIES(CB_POLICY_SENTENCE)

/* NULL: there is none of this name. */
const struct cb_policy *cb_policy_find(const char *name);

/* The first kernel has so many, within what can be; the others the rest, in even parts. */
void cb_policy_give_first(const struct cb_policy_view *view, unsigned first,
                          unsigned groups[COOP_MOST_KERNELS]);
