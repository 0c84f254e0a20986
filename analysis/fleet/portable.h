/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of the ways that an author chooses among (struct cb_choice) loses least over all devices of
 * a fleet, of whatever kind, against the best way on each. Sorensen, Pai and Donaldson, One Size
 * Doesn't Fit All (IISWC 2019), ask this of compilers' optimisations.
 */
#pragma once

#include "analysis/fleet/devices.h"
#include "measure/bench.h"

/* A place is a device and all that is not chosen: input, contention, ... */
struct cb_way {
    char *name;   /* "patient", "ticket, adaptive"; owned */
    int places;   /* where it was measured */
    int last;     /* of these, from 1 */
    double mean;  /* geometric mean of its factors, 1 or more, over what devices have on average */
    double worst; /* the largest factor */
    int device;   /* where that is */
    const struct cb_run_case *c;
};

struct cb_portable {
    const struct cb_bench *bench;
    const char *choice;  /* "barrier" */
    int devices, places; /* where two ways or more were measured */
    struct cb_way *ways; /* those measured at most places first, then by the worst factor */
    int n;
    int least_worst, least_mean; /* of those that are measured everywhere; -1: none is */
};

struct cb_portables {
    struct cb_portable *items;
    int n;
};

/* Finds the portable best of all choices of which the fleet has two ways or more. False: no
 * memory. */
bool cb_portables_find(const struct cb_fleet_devices *devices, struct cb_portables *out);
void cb_portables_free(struct cb_portables *portables);
