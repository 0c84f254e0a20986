/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands to paste into a shell.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

/* Prints " word", quoted if a shell would read it otherwise. What a terminal would obey is escaped
 * so that bash, zsh and ksh read it as it was. */
void cb_shell_word(FILE *out, const char *word);

/* Prints the command line that completes this run: the program, and --resume after its words,
 * which lose their own --resume and --run-id; run NULL: the one that measures all of it in a new
 * run.
 */
void cb_shell_resume(FILE *out, const char *program, char *const *words, int n, const char *run);
