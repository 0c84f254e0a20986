/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver's compiler at work: what it prints, and of what it warns.
 */
#pragma once

#include <stdbool.h>

#include "runtime/cl.h"

/* For processes of our own, whose standard error nobody else uses: from now on PoCL's "2 warnings
 * generated." stays out of it, and tell() gets each line of a log that warns of a user's file. */
void cb_compiler_tells(void (*tell)(const char *line));

/* Whether anybody is told. */
bool cb_compiler_tells_anybody(void);

/* As clBuildProgram(), of one device. */
cl_int cb_compiler_build(cl_program program, cl_device_id device, const char *options);

/* Tells the lines of the log of a program that has been built. */
void cb_compiler_tell(const char *log);
