/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "measure/bench.h"

extern const struct cb_figure cb_throttle_figures[];
