/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of every measuring command.
 */
#pragma once

#include "measure/param.h"

/* Options that every measuring command takes (and "settings" of a suite). */
extern const struct cb_param cb_global_params[];
