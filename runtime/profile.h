/* SPDX-License-Identifier: Apache-2.0
 *
 * What coopbench has learnt about a device, kept between runs as one JSON file per device
 * (docs/profile.schema.json): the device, and a section for each bench that learns ("memory").
 *
 * The files are in $COOPBENCH_PROFILE_DIR, else in $XDG_CONFIG_HOME/coopbench/profiles, else in
 * $HOME/.config/coopbench/profiles. Their names are made of the device's id and its compute units,
 * because a CPU device that is given other threads behaves like another device.
 */
#pragma once

#include "runtime/device.h"

/* The device's profile, the caller's to delete; without sections if there is no file, none is
 * wanted (COOPBENCH_NO_PROFILE is set, as --no-profile does for this program and its workers), or
 * if it was learnt with another driver version, since what that driver did need not hold any more.
 * Fails if there is a file that cannot be read, is damaged, or was made by a newer coopbench:
 * *profile is NULL then, which is one without sections, too. */
enum cb_status cb_profile_load(const struct cb_device *device, cJSON **profile, struct cb_err *err);

/* Where the device's file is, or would be. */
enum cb_status cb_profile_path(const struct cb_device *device, char path[512], struct cb_err *err);

/* Replaces the device's file, creating the folder; path: where it is. */
enum cb_status cb_profile_save(const struct cb_device *device, const cJSON *profile, char path[512],
                               struct cb_err *err);
