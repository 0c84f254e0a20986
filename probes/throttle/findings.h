/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "analysis/documents/findings.h"

/* With how many workgroups an app saves energy and power, and whether caps were held. */
void cb_throttle_findings(struct cb_findings *findings);
