/* SPDX-License-Identifier: Apache-2.0
 *
 * Where and with what a run was made.
 */
#pragma once

#include <cjson/cJSON.h>

/* {"hostname", "os", "arch", "cpu", "num_cpus", "governor", "load_avg"}; what is not known is null.
 * COOPBENCH_HOSTNAME replaces the host's name (containers have random ones). */
cJSON *cb_environment_host(void);

/* {"name", "version", "git_sha", "git_dirty", "compiler", "build_type", "kernels"}; the last is a
 * digest of all files that devices run or share with the host. */
cJSON *cb_environment_tool(void);

/* "2026-11-20T07:10:33Z" */
void cb_utc_now(char text[32]);
