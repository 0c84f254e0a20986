/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "types.h"

#define CB_USER_LOCALS 64u /* most arguments of a kernel that are local memory */

/* What a user's kernel begins with, zeroed before each launch. Workgroups poll the first word, in a
 * 256-byte block of its own. */
typedef struct {
    cb_u32 arrived[64]; /* [0] workgroups at the barrier */
    cb_u32 runs;        /* 0: the kernel ends after the barrier; it never is anything else */
    cb_u32 sizes[CB_USER_LOCALS]; /* bytes of an element of each local argument */
} cb_user_words;
