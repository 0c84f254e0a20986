/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files that read setups share.
 */
#pragma once

#include <stdbool.h>

#include "apps/host/setup.h"
#include "measure/config_reader.h"

#define CB_SETUP_BETWEEN "#" /* file and kernel */

/* A number, at `where` in the setup. */
enum cb_status cb_setup_number_in(struct cb_config_reader *reader, const cJSON *node,
                                  const char *where, double least, double most, bool is_whole,
                                  double *number);

/* Reads a number of an object's key; *number stays if the key is missing. */
enum cb_status cb_setup_number(struct cb_config_reader *reader, const cJSON *object,
                               const char *where, const char *key, double least, double most,
                               bool is_whole, double *number);

/* Refuses keys that are not among these (NULL: none of them), or are there twice: they are most
 * likely a mistake. */
enum cb_status cb_setup_keys(struct cb_config_reader *reader, const cJSON *object,
                             const char *where, const char *const keys[]);

/* How an argument begins: a value, or a buffer's object. */
enum cb_status cb_setup_read_rules(struct cb_config_reader *reader, const cJSON *node,
                                   struct cb_setup_argument *argument);

/* Takes a path apart, into file, kernel and id. */
enum cb_status cb_setup_begin(const char *path, struct cb_setup *setup, struct cb_err *err);

/* Finds the kernel's entry in the file; without "kernels", the whole is one. */
enum cb_status cb_setup_find(struct cb_config_reader *reader, struct cb_setup *setup);

/* Refuses an entry of another kernel than the command line's. name: NULL: the entry has none. */
enum cb_status cb_setup_check_kernel(struct cb_config_reader *reader, const struct cb_setup *setup,
                                     const cJSON *node, const char *kernel, const char *name);

/* How tasks come. */
enum cb_status cb_setup_read_arrivals(struct cb_config_reader *reader, struct cb_setup *setup);
