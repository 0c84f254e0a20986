/* SPDX-License-Identifier: Apache-2.0
 *
 * What tables and pictures are made of: the pairs of an app and an input in a run document, and the
 * ratios of the times of their modes.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "apps/host/run.h"
#include "measure/estimate.h"

/* The modes of a pair, as a run measured them on a device, in one system: a variant of the app, a
 * protocol and the order of ids of the mode portable, and a barrier of portable and specialised. */
struct cb_apps_pair {
    const char *app, *input_name, *input;
    const char *variant, *protocol, *ids, *barrier; /* ids: as of cb_discovery_order() */
    bool stealing;                   /* offers, and no global barrier but one at the beginning */
    const cJSON *rows[CB_APP_MODES]; /* NULL: not planned */
    bool lent;                       /* within cb_apps_pairs_of() */
};

struct cb_apps_pairs {
    struct cb_apps_pair *list; /* in the order of the document, which they point into */
    int n;
};

/* Those of a system lie together. What the modes without a protocol share with other systems of the
 * variant stands in each. Empty if there is no memory. */
struct cb_apps_pairs cb_apps_pairs_of(const cJSON *run, const char *device_id);
void cb_apps_pairs_free(struct cb_apps_pairs *pairs);

/* The pairs of a system, a part of all: the first, the next one after `system` (n 0: there is
 * none), and the one that is as by default, or else the first. Not to be freed. */
struct cb_apps_pairs cb_apps_first_system(const struct cb_apps_pairs *all);
struct cb_apps_pairs cb_apps_next_system(const struct cb_apps_pairs *all,
                                         const struct cb_apps_pairs *system);
struct cb_apps_pairs cb_apps_main_system(const struct cb_apps_pairs *all);

/* "variant paper, protocol ticket, ids native, barrier xf": what is not as by default; "". */
void cb_apps_system_name(const struct cb_apps_pair *pair, char *name, size_t size);

/* "bfs [road]" */
void cb_apps_label(const struct cb_apps_pair *pair, char *label, size_t size);

#define CB_APPS_SYSTEM_BYTES 160

enum cb_apps_ratio {
    CB_APPS_SPEEDUP,              /* multikernel : portable, times of the host (OOPSLA'16 Fig. 9) */
    CB_APPS_PORTABILITY,          /* portable : specialised (Figs. 10, 11) */
    CB_APPS_COOPERATION,          /* cooperative : specialised (FSE'17 Tab. 2) */
    CB_APPS_COOPERATION_PORTABLE, /* cooperative : portable */
    CB_APPS_BASELINE_SPEEDUP,     /* baseline : portable, times of the host (Fig. 9 as printed) */
    CB_APPS_RATIOS
};

/* The ratio of the medians; NaN if one is missing, if the runs were there for the check alone, or
 * for the speedup of an app that has no barriers. */
double cb_apps_ratio(const struct cb_apps_pair *pair, enum cb_apps_ratio ratio);

/* The ratio with its interval. */
struct cb_estimate cb_apps_ratio_estimate(const struct cb_apps_pair *pair,
                                          enum cb_apps_ratio ratio);

enum cb_apps_kind { CB_APPS_ALL, CB_APPS_BARRIERS, CB_APPS_STEALING, CB_APPS_KINDS };

/* A ratio over the pairs of a kind that have it. */
struct cb_apps_summary {
    int n;
    double mean, median, max, min;    /* NaN if n is 0; the mean is geometric, as in both papers */
    const struct cb_apps_pair *worst; /* the one with the maximum */
};

struct cb_apps_summary cb_apps_summary_of(const struct cb_apps_pairs *pairs,
                                          enum cb_apps_ratio ratio, enum cb_apps_kind kind);
