/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "analysis/documents/findings.h"

/* How many workgroups run at once, and which protocol finds them all soonest. */
void cb_discover_findings(struct cb_findings *findings);
