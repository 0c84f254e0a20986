/* SPDX-License-Identifier: Apache-2.0
 *
 * The suites that the program carries (configs/ in the source tree): 'coopbench run smoke' works
 * from any folder.
 */
#pragma once

#include "measure/config.h"

/* Name i of the carried suites ("smoke"), in the order of the alphabet, for cb_nearest(); NULL
 * after the last. */
const char *cb_configs_name(const void *unused, int i);

/* The description in a carried suite; the caller's to free. NULL: it cannot be read. */
char *cb_configs_description(const char *name);

/* The length of the first sentence of a description, without its full stop. */
size_t cb_configs_sentence(const char *description);

/* Reads and checks a suite: a file, or a carried suite by its name if there is no such file. *file
 * is its file's name without folders, and lives as long as name. CB_USAGE: there is neither (names
 * those that are carried), or it is not right. */
enum cb_status cb_configs_load(const char *name, struct cb_config *config, const char **file,
                               struct cb_err *err);
