/* SPDX-License-Identifier: Apache-2.0
 *
 * What others do on devices now, as a worker sees it.
 */
#pragma once

#include <cjson/cJSON.h>

#include "runtime/device.h"

/* Parent: has a worker look at all devices; an array with an object for each (cb_others_look()),
 * the caller's to delete. Of what no worker tells, the objects say why. */
cJSON *cb_others_ask(const struct cb_devices *devices);

/* Worker: answers that. */
void cb_others_answer(const cJSON *request, cJSON *answer);
