/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of the user, made cooperative ones.
 */
#pragma once

#include "runtime/merge/merge.h"

enum cb_user_kind { CB_USER_APP, CB_USER_TASK, CB_USER_EITHER };

/* Merges a kernel of the user, which must be of this kind, and one that a setup can be of, with its
 * children, the sources after the first. Both are the caller's to free, also after a failure. */
enum cb_status cb_user_kernel_merge(const struct cb_merge_source *sources, int n,
                                    enum cb_user_kind kind, char **text,
                                    struct cb_merge_kernel *kernel, struct cb_err *err);
