/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files that read setups share.
 */
#pragma once

#include <stdbool.h>

#include "apphost/setup.h"
#include "measure/config_reader.h"

/* A number, at `where` in the setup. */
enum cb_status cb_setup_number_in(struct cb_config_reader *reader, const cJSON *node,
                                  const char *where, double least, double most, bool is_whole,
                                  double *number);

/* The same of an object's key, if it is there; else *number stays. */
enum cb_status cb_setup_number(struct cb_config_reader *reader, const cJSON *object,
                               const char *where, const char *key, double least, double most,
                               bool is_whole, double *number);

/* Refuses keys that are not among these: they are most likely a mistake. */
enum cb_status cb_setup_keys(struct cb_config_reader *reader, const cJSON *object,
                             const char *where, const char *const keys[]);

/* How tasks come. */
enum cb_status cb_setup_read_arrivals(struct cb_config_reader *reader, struct cb_setup *setup);
