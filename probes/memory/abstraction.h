/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine abstraction of SO'11 Section 4: what of a device's memory matters to synchronisation
 * primitives, and which of the paper's two devices it is like.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

/* Distances of the hostage accesses that stand for a word in the same line and one far away. */
#define CB_HOSTAGE_NEAR_BYTES 4
#define CB_HOSTAGE_FAR_BYTES  4096

/* All numbers are medians, or quotients of medians. Times in ns. */
struct cb_machine {
    bool cpu;
    double groups_full, groups_low; /* N; 2 on CPU devices, else a quarter of the compute units */
    double read_latency, atomic_latency; /* one work-item alone, each waits for the one before */
    double read_service, write_service,  /* contended by N: time over N * accesses; volatile */
        atomic_service;                  /* fetch-add */
    /* the paper's parameters */
    double atomic_volatile_reads, atomic_volatile_writes; /* contended; Tab. 3 */
    double contention_reads, contention_writes;           /* volatile; Tab. 2 */
    /* a reader's time near a word that the others add to, over its time ... */
    double hostage_idle;  /* ... when they do nothing */
    double hostage_far;   /* ... far from that word */
    double hostage_reads; /* ... near a word that they only read */
    double after_atomic;  /* volatile reads after one atomic : without; Tab. 3; NaN: not measured */
};

/* False if a case that it takes is not in the run, or is not ok; missing: its id. */
bool cb_machine_of(const cJSON *run, const char *device_id, struct cb_machine *machine,
                   char missing[160]);

/* How much longer a reader waits because of atomics on its line: what neither their load on the
 * device as a whole explains, nor that the line is in demand. 1: nothing. */
double cb_machine_hostage(const struct cb_machine *machine);

/* "Tesla", "Fermi" or "neither"; reason: a sentence or two. */
const char *cb_machine_class(const struct cb_machine *machine, char reason[512]);

void cb_machine_print(FILE *out, const struct cb_machine *machine);

/* "parameters" of a profile (docs/profile.schema.json). */
cJSON *cb_machine_to_json(const struct cb_machine *machine);
