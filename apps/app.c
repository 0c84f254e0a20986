/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/app.h"

#include <string.h>

const struct cb_app *cb_app_find(const char *id)
{
    for (int i = 0; cb_apps[i]; i++)
        if (strcmp(cb_apps[i]->id, id) == 0)
            return cb_apps[i];
    return NULL;
}
