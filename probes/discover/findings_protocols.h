/* SPDX-License-Identifier: Apache-2.0
 *
 * Which protocol finds all workgroups that run at once, and soonest.
 */
#pragma once

#include "analysis/documents/findings.h"
#include "analysis/documents/rows.h"

/* Adds the finding "protocol", and "delay" if a delay in turns left somebody out. rows: a device's
 * ok rows of discover, with one dimension. */
void cb_discover_find_protocols(struct cb_findings *findings, const struct cb_rows *rows);
