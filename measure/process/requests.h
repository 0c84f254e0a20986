/* SPDX-License-Identifier: Apache-2.0
 *
 * Requests to a worker (measure/process/worker.c), for whoever sends them.
 */
#pragma once

#include "measure/process/supervisor.h"

cJSON *cb_request(const char *op);
cJSON *cb_case_request(const char *op, const char *case_id);

/* To open the device, with what its profile tells the compiler. */
cJSON *cb_session_request(const struct cb_worker_settings *settings, const struct cb_device *device,
                          bool rehearsal);

/* To open it as a session that this process has open. */
cJSON *cb_same_session_request(const struct cb_session *session);

/* To open a case; params: a copy goes into the request. */
cJSON *cb_open_request(const char *case_id, const struct cb_bench *bench, int batch,
                       const cJSON *params);
