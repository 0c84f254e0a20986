/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "apps/host/user_app.h"
#include "apps/host/user_task.h"

void cb_users_inherit(void)
{
    static bool done;
    struct cb_err ignored;
    char *list = done || !getenv(CB_USERS_VARIABLE) ? NULL : strdup(getenv(CB_USERS_VARIABLE));
    done = true;
    for (char *rest = list, *line; rest && (line = strsep(&rest, "\n")) != NULL;)
        if (strncmp(line, "app ", 4) == 0)
            cb_user_app_add(line + 4, &ignored);
        else if (strncmp(line, "task ", 5) == 0)
            cb_user_task_add(line + 5, &ignored);
    free(list);
}
