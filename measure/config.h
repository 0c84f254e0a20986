/* SPDX-License-Identifier: Apache-2.0
 *
 * Suite files for `coopbench run`. JSON:
 *
 *     {
 *       "schema": "coopbench-config", "schema_version": "1.0",
 *       "name": "smoke",
 *       "settings": {"runs": 5, "max-time": 10},        global options, by their long names
 *       "suite": [
 *         {"bench": "discover", "protocol": ["ticket", "lockfree"], "microbenchmark": "11"}
 *       ]
 *     }
 *
 * Every entry of the suite names a bench; its other keys are that bench's parameters, or global
 * options that hold for this entry alone. Unknown keys, duplicate keys and values out of range are
 * errors that say file, line, key and what was expected:
 *     configs/smoke.json:7: suite[0]: unknown key "protocl" (did you mean "protocol"?)
 */
#pragma once

#include "measure/bench.h"
#include "measure/param.h"

struct cb_config_entry {
    const struct cb_bench *bench;
    cJSON *options; /* options of the bench: an object, no defaults added */
    cJSON *globals; /* global options of this entry alone */
};

struct cb_config {
    char name[64];
    cJSON *settings; /* global options: an options object */
    struct cb_config_entry *entries;
    int count;
};

/* Reads and checks a suite file against the global options and the registered benches. CB_USAGE if
 * it cannot be read or is not right. */
enum cb_status cb_config_load(const char *path, const struct cb_param *globals,
                              struct cb_config *config, struct cb_err *err);

/* Parses a text that has been read; path is for messages. */
enum cb_status cb_config_parse(const char *path, const char *text, const struct cb_param *globals,
                               struct cb_config *config, struct cb_err *err);
void cb_config_free(struct cb_config *config);
