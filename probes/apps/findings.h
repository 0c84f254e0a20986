/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "analysis/documents/findings.h"

/* What the barrier is worth to the apps, and what cooperation costs them. */
void cb_apps_findings(struct cb_findings *findings);
