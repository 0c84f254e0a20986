/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "measure/bench.h"

/* FSE'17 Fig. 1 (from a trace), Fig. 5 and Fig. 6. */
extern const struct cb_figure cb_multitask_figures[];
