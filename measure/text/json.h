/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON objects of messages and run documents. Any object that is read may be NULL.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>

/* The text under a key; fallback if there is none. */
const char *cb_json_text(const cJSON *object, const char *key, const char *fallback);

/* The text that an item is; "" for any other. */
const char *cb_json_item_text(const cJSON *item);

/* Cleans all texts of a tree, keys too, to be stored (runtime/host/text.h). */
void cb_json_clean(cJSON *tree);

/* The number under a key; NaN if there is none. */
double cb_json_number(const cJSON *object, const char *key);

/* Gives a key of an object this value, in place of the one that it has. Takes the value over, and
 * deletes it if there is no object or no memory: then, and without a value, false. */
bool cb_json_put(cJSON *object, const char *key, cJSON *value);
bool cb_json_put_number(cJSON *object, const char *key, double value);

/* A statistic ("median", "n") of a metric of a case of a run document; NaN if it is not there. */
double cb_json_metric(const cJSON *item, const char *metric, const char *statistic);

/* The parameters of a case of a run document. */
const cJSON *cb_json_params(const cJSON *item);

/* The device of a run document with this id; NULL if it has none. */
const cJSON *cb_json_device(const cJSON *run, const char *id);

/* Adds a text to an array, which is made if there is none; a text is kept once. Returns its place,
 * from 0. */
int cb_json_add_once(cJSON **texts, const char *text);
