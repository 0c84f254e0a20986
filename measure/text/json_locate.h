/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON with places. cJSON keeps no positions, is vague about where a syntax error is, and takes
 * more than JSON; suites are written by hand, and need file, line and what was expected.
 */
#pragma once

#include <cjson/cJSON.h>

#include "runtime/host/error.h"

/* Parses text, which has to be one JSON document (RFC 8259, strings without \u0000) and nothing
 * else. *tree is the caller's. CB_USAGE says "PATH:LINE:COLUMN: not valid JSON: expected ..." (the
 * column in bytes, from 1). */
enum cb_status cb_json_parse(const char *path, const char *text, cJSON **tree, struct cb_err *err);

/* The line of a node of the tree that cb_json_parse made of text: of its key if it is a member of
 * an object, else of where its value begins. 0 if it is not in the tree. */
int cb_json_line(const char *text, const cJSON *tree, const cJSON *node);
