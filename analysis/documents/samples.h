/* SPDX-License-Identifier: Apache-2.0
 *
 * The samples of a run that is drawn.
 */
#pragma once

#include <cjson/cJSON.h>

#include "runtime/host/error.h"

/* Gives the cases of a run document their "samples" back, of benches whose figures want them, from
 * the samples.csv in the run's folder, or, if it was killed before that was written, from
 * events.jsonl. Without both the document stays as it is. */
enum cb_status cb_samples_attach(cJSON *run, const char *folder, struct cb_err *err);
