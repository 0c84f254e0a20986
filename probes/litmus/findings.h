/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "analysis/documents/findings.h"

/* What the device does not keep in order, and whether it has broken a promise. */
void cb_litmus_findings(struct cb_findings *findings);
