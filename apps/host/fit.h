/* SPDX-License-Identifier: Apache-2.0
 *
 * Apps that do not fit in one megakernel.
 */
#pragma once

#include "apps/host/run.h"

/* Adds to an error for want of room, of the megakernel of `on` and those beside it: which apps they
 * are, what each needs alone with workgroups of config->wg_size, what the device has, and what to
 * do. Other errors, and those of an app alone, stay as they are. Returns err's status. */
enum cb_status cb_app_explain_fit(const struct cb_app_instance *on,
                                  const struct cb_coop_config *config, struct cb_err *err);
