/* SPDX-License-Identifier: Apache-2.0
 *
 * How many workgroups ran at once beside each neighbour of ours (--beside), next to how many did
 * alone: the numbers that the table, the sentence and the picture of it have in common.
 */
#pragma once

#include "analysis/documents/findings.h"
#include "measure/bench.h"

/* Workgroups of one configuration beside one thing; NaN: not measured. */
struct cb_discover_beside {
    double bound;
    double found, found_min, found_max; /* median and range of one protocol */
    double safe, share;                 /* so many in this share of launches (--headroom) */
};

/* The rows of a device that have such numbers, as a question. */
struct cb_rows cb_discover_beside_rows(const cJSON *run, const char *device_id);

/* The numbers of a row's configuration beside something ("": alone). What was found is that of
 * --headroom, which launches most often, else of lockfree, else of another safe protocol. */
struct cb_discover_beside cb_discover_beside_of(const struct cb_rows *rows, const cJSON *like,
                                                const char *beside);

/* The bound; without one, the median of what was found. */
double cb_discover_beside_groups(const struct cb_discover_beside *numbers);

/* Parameters that make a configuration; ends with NULL. */
extern const char *const cb_discover_beside_configuration[];

/* The bench's report_besides(), and its sentence about what is beside. */
void cb_discover_beside_report(FILE *out, const cJSON *run);
void cb_discover_beside_findings(struct cb_findings *findings);
