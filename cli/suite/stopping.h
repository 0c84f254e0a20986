/* SPDX-License-Identifier: Apache-2.0
 *
 * When a case ends: its stop rule and deadlines, as far as options of every command change them.
 */
#pragma once

#include "cli/suite/global_params.h"
#include "measure/bench.h"

/* What contradicts itself is refused, not half obeyed: CB_USAGE. */
enum cb_status cb_stopping_check(const struct cb_run_options *options, struct cb_err *err);

/* What the user said replaces the benchmark's own choice. CB_USAGE: it contradicts that. */
enum cb_status cb_stopping_apply(struct cb_case *c, const struct cb_run_options *options,
                                 struct cb_err *err);
