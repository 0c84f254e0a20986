/* SPDX-License-Identifier: Apache-2.0
 *
 * sssp_bellman as Pannotia has it.
 */
#pragma once

#include "apps/host/app.h"

extern const struct cb_app cb_sssp_bellman_paper, cb_sssp_bellman_paper_once;
