/* SPDX-License-Identifier: Apache-2.0
 *
 * What tests of setups share.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/host/setup.h"
#include "tests/unit/unit.h"

/* Reads the arguments of a task, of a parameter p of this type: its setup. */
static inline enum cb_status read_setup(struct cb_layout layout, enum cb_space space,
                                        const char *value, const char *more, struct cb_setup *setup,
                                        struct cb_err *err)
{
    char path[] = "/tmp/coopbench-setup-XXXXXX.json", text[1024];
    struct cb_merge_parameter parameter = {
        .type = "T", .name = "p", .space = space, .layout = layout};
    struct cb_merge_kernel kernel = {.parameters = &parameter, .n_parameters = 1, .is_task = true};
    int file = mkstemps(path, 5);
    assert_true(file >= 0);
    snprintf(text, sizeof text,
             "{\"kernel\": \"k.cl\", \"global\": 64, \"local\": 64, \"period_ms\": 1%s, "
             "\"arguments\": {\"p\": %s}}",
             more, value);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    enum cb_status status = cb_setup_read(path, setup, err);
    if (status == CB_OK)
        status = cb_setup_read_arguments(setup, &kernel, err);
    unlink(path);
    cb_layout_free(&parameter.layout);
    return status;
}

static inline struct cb_setup setup_of(struct cb_layout layout, enum cb_space space,
                                       const char *value)
{
    struct cb_setup setup;
    struct cb_err err;
    if (read_setup(layout, space, value, "", &setup, &err) != CB_OK)
        fail_msg("%s: %s", value, err.text);
    return setup;
}

static inline void refuses(struct cb_layout layout, enum cb_space space, const char *value,
                           const char *why)
{
    struct cb_setup setup;
    struct cb_err err;
    if (read_setup(layout, space, value, "", &setup, &err) != CB_USAGE || !strstr(err.text, why))
        fail_msg("%s: \"%s\" is not \"%s\"", value, err.text, why);
    cb_setup_free(&setup);
}

/* Makes a file of these bytes, whose name path becomes, "/tmp/...-XXXXXX.npy" before. */
static inline void write_data(char *path, const void *bytes, size_t n)
{
    int file = mkstemps(path, (int)strlen(strrchr(path, '.')));
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, n), n);
    close(file);
}
