/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "analysis/documents/findings.h"

/* Whether tasks are in time by the driver's own means, and what the app pays. */
void cb_preempt_findings(struct cb_findings *findings);
