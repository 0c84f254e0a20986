/* SPDX-License-Identifier: Apache-2.0
 *
 * How large the inputs of nested programs are.
 */
#pragma once

enum cb_launch_size { CB_LAUNCH_SMALL, CB_LAUNCH_MEDIUM, CB_LAUNCH_LARGE, CB_LAUNCH_SIZES };

#define CB_LAUNCH_INPUT "input" /* a file of one's own */

/* "small", ..., then CB_LAUNCH_INPUT and NULL */
extern const char *const cb_launch_size_names[];

/* The place of a name among these; that of the NULL for any other text. */
int cb_launch_size_place(const char *size);
