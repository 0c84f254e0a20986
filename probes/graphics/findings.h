/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "analysis/documents/findings.h"

/* How long kernels may be that a display does not show. */
void cb_graphics_findings(struct cb_findings *findings);
