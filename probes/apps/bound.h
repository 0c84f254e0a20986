/* SPDX-License-Identifier: Apache-2.0
 *
 * Is the occupancy bound of a specialised app what it is taken for (OOPSLA'16 Section 5.3)? It is N
 * if the app ends with N workgroups and does not with N + 1.
 */
#pragma once

#include "analysis/documents/findings.h"
#include "probes/apps/case.h"

/* The option, and the parameter that such a case has. */
#define CB_APPS_BOUND "validate-bound"

/* Runs the app with as many workgroups as the discovery finds and with one more, and searches on
 * where N is another number. A deadlock, which bounded waits end, is a result; runs that end are
 * checked. */
enum cb_status cb_apps_validate_bound(struct cb_apps_case *c, struct cb_sample *sample,
                                      struct cb_err *err);

/* A table of a device's cases; nothing if there are none. */
void cb_apps_report_bounds(FILE *out, const cJSON *run, const char *device);

/* Whether all of them deadlock with N + 1. */
void cb_apps_find_bounds(struct cb_findings *findings);
