/* SPDX-License-Identifier: Apache-2.0
 *
 * sssp_worklist as LonestarGPU has it.
 */
#pragma once

#include "apps/host/app.h"

extern const struct cb_app cb_sssp_worklist_paper, cb_sssp_worklist_paper_once;
