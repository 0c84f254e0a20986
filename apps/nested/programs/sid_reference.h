/* SPDX-License-Identifier: Apache-2.0
 *
 * Survey inspired decimation on the host (sid.cl).
 */
#pragma once

#include "apps/nested/programs/programs.h"

/* Whether a run may have found these words. The reference, in double precision, follows the laps
 * that were found and the variables that were fixed in each, and looks whether each is right
 * within this tolerance: so it may be that roundings decide. Of words that are right `why` says how
 * the run has ended. */
bool cb_sid_check(const struct cb_nest_data *data, const uint32_t *found, double tolerance,
                  char why[CB_NEST_WHY]);

/* A run by decisions of its own, rounded more than by kernels, into data->n_words words. false: out
 * of memory. */
bool cb_sid_run(const struct cb_nest_data *data, uint32_t *words);
