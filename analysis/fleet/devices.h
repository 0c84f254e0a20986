/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs seen as devices: which there are, of which kind, and what each measured.
 */
#pragma once

#include "analysis/compare/choice.h"
#include "analysis/compare/run_table.h"

/* One device, whichever runs it is in. Texts are of the newest of them; "": not known. */
struct cb_fleet_device {
    const struct cb_run_table *run; /* the newest */
    int runs;                       /* that have it */
    int kind;
    const char *id, *name, *driver, *uuid, *pci, *host;
    bool cpu;
    double compute_units; /* NaN: not known */
};

/* Devices of one name and size. */
struct cb_fleet_kind {
    const struct cb_fleet_device *first;
    int devices;
    int drivers;    /* different ones */
    int programs;   /* different commits of coopbench */
    int processors; /* different ones of the hosts */
};

/* A case on a device: of its newest run in which that is ok, else of the newest. */
struct cb_fleet_case {
    int device;
    const struct cb_run_table *run;
    const struct cb_run_case *c;
    bool other; /* most of the kind have other parameters in the case of this id: set aside */
};

struct cb_fleet_devices {
    struct cb_fleet_device *items; /* as the runs first have them */
    int n;
    struct cb_fleet_kind *kinds; /* as the runs first have them */
    int n_kinds;
    struct cb_fleet_case *cases; /* by kind, by id, by device */
    int n_cases;
};

/* Makes the devices of the runs, which have to outlive them. A GPU is told by its UUID, else by
 * host and PCI address; others, and CPUs, by host and id. Only cases that the options choose
 * ("filter", "exclude"). CB_ERROR: no memory. CB_USAGE: no case. */
enum cb_status cb_fleet_devices_make(const struct cb_run_table *runs, int n,
                                     const struct cb_compare_choice_options *choice,
                                     struct cb_fleet_devices *out, struct cb_err *err);
void cb_fleet_devices_free(struct cb_fleet_devices *devices);

/* Places from `begin` on in the cases that are of one kind and id: where they end. */
int cb_fleet_cases_end(const struct cb_fleet_devices *devices, int begin);
