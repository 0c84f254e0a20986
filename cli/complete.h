/* SPDX-License-Identifier: Apache-2.0
 *
 * What can stand where the cursor is: 'coopbench complete WORD...', which the scripts in
 * cli/completion/ call. All from the tables of the commands, the benchmarks and the apps.
 */
#pragma once

#include <stdio.h>

/* Prints what can stand for the last of the n words after "coopbench" (it may be empty or only
 * begun): a line for each candidate, with a tab and what it means if that is known. ":files" and
 * ":folders": the shell completes these itself. Nothing: there is nothing to suggest. */
void cb_complete(FILE *out, char *const *words, int n);
