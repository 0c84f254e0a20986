/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "measure/bench.h"

/* FSE'17 Tab. 3 as a picture. */
extern const struct cb_figure cb_preempt_figures[];
