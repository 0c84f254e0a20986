/* SPDX-License-Identifier: Apache-2.0
 *
 * For programs that run a part of an app: its source is included after this, as C, for GROUPS
 * workgroups of one work-item.
 */
#pragma once
#include "opencl.h"
#include "programs.h"

#define get_group_id(d)   weak_thread()
#define get_num_groups(d) GROUPS
#define COOP_MODE         COOP_COOPERATIVE
#define COOP_RESIZING     COOP_QUERY
#define COOP_SEMANTICS    COOP_HIGHEST
#define COOP_WG_SIZE      1u
#define CB_BARRIER        counter
#define CB_PROTOCOL       lockfree
