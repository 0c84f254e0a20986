/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "analysis/documents/findings.h"

void cb_migrate_findings(struct cb_findings *findings);
