/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run's document says of how it was called and where it ran.
 */
#pragma once

#include "cli/suite/suite.h"
#include "measure/process/supervisor.h"

/* CB_USAGE: a --label that is not KEY=VALUE. */
enum cb_status cb_suite_check_labels(const struct cb_run_options *options, struct cb_err *err);

/* How to make this run again: "invocation". Labels are checked. */
cJSON *cb_suite_invocation(const struct cb_suite *suite, const struct cb_run_options *options,
                           uint64_t seed);

/* The seed in a document's invocation. */
uint64_t cb_suite_seed_of(const cJSON *document);

/* The devices that the plan uses, with what opening them told, and with what reports need of their
 * profiles: "devices". Those that were not opened, and profiles, are as in the document `before`,
 * if there is one. */
cJSON *cb_suite_devices(const struct cb_supervisor *supervisor, const struct cb_devices *devices,
                        const struct cb_plan *plan, const cJSON *before);
