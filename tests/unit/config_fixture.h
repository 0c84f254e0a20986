/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of suite files, written to a temporary file each. FILE in an expected error is that
 * file's name.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/config.h"
#include "measure/text/json_locate.h"
#include "tests/unit/unit.h"

#define HEAD  "{\"schema\": \"coopbench-config\", \"schema_version\": \"1.0\",\n" /* line 1 */
#define SUITE "\"suite\": [{\"bench\": \"discover\"}]}"

static const struct cb_param globals[] = {
    {.name = "runs", .into.kind = CB_FIELD_UINT, .min = 1, .max = 1000000},
    {.name = "seed", .into.kind = CB_FIELD_UINT},
    {.name = "max-time", .into.kind = CB_FIELD_REAL, .min = 0.01, .max = 86400},
    {.name = "stop", .into.kind = CB_FIELD_TEXT, .choices = "count,ci,time"},
    {.name = "quiet", .into.kind = CB_FIELD_FLAG},
    {.name = "device", .into.kind = CB_FIELD_TEXTS},
    {.name = "output-dir", .into.kind = CB_FIELD_TEXT},
    {0},
};

static inline enum cb_status load(const char *text, struct cb_config *config, struct cb_err *err,
                                  char path[64])
{
    strcpy(path, "/tmp/coopbench-test-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    enum cb_status status = cb_config_load(path, globals, config, err);
    unlink(path);
    return status;
}

static inline struct cb_config loads(const char *text)
{
    struct cb_config config;
    struct cb_err err;
    char path[64];
    if (load(text, &config, &err, path) != CB_OK)
        fail_msg("%s\nin: %s", err.text, text);
    return config;
}

/* error: "FILE" at its start stands for the file's name. */
static inline void refuses(const char *text, const char *error)
{
    struct cb_config config;
    struct cb_err err = {CB_OK, ""};
    char path[64], expected[CB_ERR_TEXT];
    assert_int_equal(load(text, &config, &err, path), CB_USAGE);
    assert_int_equal(err.status, CB_USAGE);
    snprintf(expected, sizeof expected, "%s%s", path, error + strlen("FILE"));
    assert_string_equal(err.text, expected);
    assert_null(config.entries); /* nothing is left to free */
    assert_null(config.settings);
    assert_int_equal(load(text, &config, NULL, path), CB_USAGE);
}
