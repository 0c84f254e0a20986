/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside measure/config.c: errors that say their place in the file, and JSON values as options.
 */
#pragma once

#include "measure/config.h"

#define CB_CONFIG_WHERE 256 /* room for the name of a place, such as "suite[0].delay[1]" */

/* A file being read, and what its words may mean. */
struct cb_config_reader {
    const char *path;
    const char *text;
    const cJSON *tree;
    const struct cb_param *globals;
    struct cb_config *config;
    struct cb_err *err;
};

/* Fails with CB_USAGE and "FILE:LINE: where: message"; the line is the node's. */
enum cb_status cb_config_fail(const struct cb_config_reader *r, const cJSON *node,
                              const char *where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
enum cb_status cb_config_no_memory(const struct cb_config_reader *r);

/* The name of child i of node, whose own name is where ("" for the document). */
void cb_config_name_child(char name[CB_CONFIG_WHERE], const cJSON *node, const char *where,
                          const cJSON *child, int i);

/* "a number": what a node is, for people. */
const char *cb_config_kind(const cJSON *node);

/* Reads the members of object that are rows of table, but not of except (may be NULL), into
 * options. */
enum cb_status cb_config_read_options(const struct cb_config_reader *r, const cJSON *object,
                                      const char *where, const struct cb_param *table,
                                      const struct cb_param *except, cJSON *options);
