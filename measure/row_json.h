/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "measure/engine.h"

/* A row as an element of run.json's "cases", with its raw samples under "samples". */
cJSON *cb_row_to_json(const struct cb_row *row);

/* "lower", "higher", "none" */
const char *cb_better_name(enum cb_better better);
