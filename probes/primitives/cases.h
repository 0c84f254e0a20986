/* SPDX-License-Identifier: Apache-2.0
 *
 * What primitives measured on one device.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "runtime/primitives.h"

/* Barriers to compare with, no candidates: of the CPU's threads; and the end of a kernel with the
 * start of the next one, all enqueued at once, or each after the host has waited (SO'11
 * Section 2.2). */
#define CB_NATIVE        "native"
#define CB_RELAUNCH      "relaunch"
#define CB_RELAUNCH_SYNC "relaunch_sync"

/* Whether it is one of these. */
bool cb_primitive_only_compared(const char *name);

/* The parameter in which cases of one primitive differ, by kind: NULL for barriers. */
extern const char *const cb_variant_params[CB_KINDS];

/* A case. The texts are the document's. */
struct cb_primitive_case {
    const char *kind, *name; /* "mutex", "ticket" */
    double variant;          /* section of a mutex, initial value of a semaphore; barriers: 0 */
    const char *groups;      /* as asked for: "N/8" */
    double count;            /* workgroups; NaN: the case is not ok, or does not tell */
    bool ok;
    const cJSON *item;
};

struct cb_primitive_cases {
    struct cb_primitive_case *cases;
    int n;
};

/* The cases of a device but the tuner's, as in the document. Empty if there is no memory. */
struct cb_primitive_cases cb_primitive_cases_of(const cJSON *run, const char *device_id);
void cb_primitive_cases_free(struct cb_primitive_cases *set);

/* A statistic ("median") of a metric ("throughput"): NaN if the case is not ok. */
double cb_primitive_stat(const struct cb_primitive_case *c, const char *metric,
                         const char *statistic);

/* Cases of a set: of one kind and variant, and, where these are not NULL, of one name and with the
 * same workgroups asked for. */
struct cb_primitive_query {
    const struct cb_primitive_cases *set;
    const char *kind;
    double variant;
    const char *name, *groups;
};

/* The next of them after `previous`, the first after NULL; NULL: there is none. */
const struct cb_primitive_case *cb_primitive_next(const struct cb_primitive_query *query,
                                                  const struct cb_primitive_case *previous);

/* The variants of a kind, ascending; there is room for set->n of them. Returns their number. */
int cb_primitive_variants(const struct cb_primitive_cases *set, const char *kind, double *variants);
