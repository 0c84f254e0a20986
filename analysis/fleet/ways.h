/* SPDX-License-Identifier: Apache-2.0
 *
 * The cases of a fleet as ways among which an author chooses, in the order of places.
 */
#pragma once

#include "analysis/fleet/devices.h"
#include "measure/bench.h"

/* A way at a place. */
struct cb_way_entry {
    const struct cb_bench *bench;
    const char *choice; /* name, or the value of the parameter that it is within */
    const struct cb_choice *of;
    int device;
    const struct cb_run_case *c;
    char *place; /* all that is not chosen; owned */
    char *way;   /* owned */
    double cost; /* logarithm of a time, or of what more of is better, negative */
};

struct cb_way_entries {
    struct cb_way_entry *items; /* by choice, by device, by place, by cost */
    int n, room;
};

/* Makes entries of all cases that are ok, by their bench's first metric. False: no memory. */
bool cb_way_entries_make(const struct cb_fleet_devices *devices, struct cb_way_entries *out);
void cb_way_entries_free(struct cb_way_entries *entries);

/* Where entries from `begin` on, of n, are of another choice, or place. */
int cb_way_choice_end(const struct cb_way_entry *entries, int n, int begin);
int cb_way_place_end(const struct cb_way_entry *entries, int n, int begin);
