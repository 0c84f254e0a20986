/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/discover/launch_size.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LAUNCHED 0x40000000u

enum cb_status cb_launch_size_parse(const char *text, struct cb_launch_size *size,
                                    struct cb_err *err)
{
    size_t word = strcspn(text, "0123456789"); /* sscanf alone would accept signs and spaces */
    bool number = text[word] && text[word + strspn(text + word, "0123456789")] == '\0';
    *size = (struct cb_launch_size){CB_LAUNCH_AUTO, 0};
    if (strcmp(text, "auto") == 0)
        return CB_OK;
    if (number)
        size->n = strtoull(text + word, NULL, 10);
    if (strcmp(text, "bound") == 0 || (number && strncmp(text, "bound+", word) == 0 && word == 6))
        size->kind = CB_LAUNCH_BOUND_PLUS;
    else if (size->n > 0 && strncmp(text, "boundx", word) == 0 && word == 6)
        size->kind = CB_LAUNCH_BOUND_TIMES;
    else if (size->n > 0 && word == 0)
        size->kind = CB_LAUNCH_COUNT;
    else
        return cb_fail(err, CB_USAGE,
                       "launch: expected a number, auto, bound, bound+K or boundxK, got \"%s\"",
                       text);
    if (size->n > MAX_LAUNCHED)
        return cb_fail(err, CB_USAGE, "launch: at most %u workgroups", MAX_LAUNCHED);
    return CB_OK;
}
