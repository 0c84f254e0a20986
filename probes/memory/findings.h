/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "analysis/documents/findings.h"

/* What contention and atomics cost, and which primitives follow from that. */
void cb_memory_findings(struct cb_findings *findings);
