/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "analysis/documents/findings.h"

/* With how many workgroups tasks are in time, and what the apps beside them pay. */
void cb_multitask_findings(struct cb_findings *findings);
