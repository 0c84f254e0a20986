/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "analysis/documents/findings.h"

/* Which barrier, mutex and semaphore is the fastest with the most workgroups. */
void cb_primitives_findings(struct cb_findings *findings);
