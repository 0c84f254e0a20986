/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernels/coop_abi.h"
#include "kernels/task_abi.h"
#include "runtime/session.h"

enum cb_status cb_fail_local(const char *who, uint64_t needed, uint64_t most, const char *options,
                             struct cb_err *err)
{
    const bool is_megakernel = strstr(options, "-DCOOP_MODE="),
               has_arguments =
                   strstr(options, "-DCOOP_PROGRAM_TASKS") || strstr(options, "-DCOOP_CHILDREN");
    char arguments[60] = "", owners[160] = "";
    if (has_arguments)
        snprintf(arguments, sizeof arguments, " with %u for its arguments", TASK_LOCAL_BYTES);
    if (is_megakernel)
        snprintf(owners, sizeof owners,
                 " (the kernel's or a task's%s, whichever are more, and up to %u of the runtime's)",
                 arguments, COOP_OWN_LOCAL_BYTES);
    return cb_fail(err, CB_UNSUPPORTED,
                   "%s needs %" PRIu64 " bytes of local memory, the device has %" PRIu64 "%s", who,
                   needed, most, owners);
}
