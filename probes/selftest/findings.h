/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "analysis/documents/findings.h"

/* Whether all random runs passed, and how much that tells. */
void cb_selftest_findings(struct cb_findings *findings);
