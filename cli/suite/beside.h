/* SPDX-License-Identifier: Apache-2.0
 *
 * --beside: what keeps a device busy beside its cases, "grid:groups=4:wg-size=64". Each that is
 * named has all cases once more, with "/beside=..." behind their ids; but of "random", each case
 * draws one.
 */
#pragma once

#include "measure/config.h"
#include "measure/engine.h"

/* Help of the option. */
extern const char cb_beside_help[];

/* What an entry's cases are to have beside them: a list of texts, to be deleted, of which "none" is
 * one, and the only one where nothing is asked for. Those of an option of the benchmark's own that
 * is called --beside are taken out of its options, and come in place of those that are given,
 * unless these replace what entries have, as a command line does. CB_USAGE: none is known by that
 * name. */
enum cb_status cb_besides_take(const struct cb_bench *bench, struct cb_texts given, bool replaces,
                               cJSON *options, cJSON **besides, struct cb_err *err);

/* Has the cases of the plan from `first` on this beside them. CB_USAGE: the device, or this build,
 * cannot do it. */
enum cb_status cb_beside_plan(struct cb_plan *plan, int first, const char *what,
                              struct cb_err *err);
