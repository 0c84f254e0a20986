/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "measure/bench.h"

/* OOPSLA'16 Figs. 9 to 11. */
extern const struct cb_figure cb_apps_figures[];
