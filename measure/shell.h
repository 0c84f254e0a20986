/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands to paste into a shell.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

/* Prints " word", quoted if a shell would read it otherwise. Control characters are escaped. */
void cb_shell_word(FILE *out, const char *word);

/* Prints " --resume run" behind the words of a command line, which lose their --resume and
 * --run-id: what completes this run. */
void cb_shell_resume(FILE *out, char *const *words, int n, const char *run);
