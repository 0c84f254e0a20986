/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "apps/host/app.h"

/* Apps that --app all means. */
static inline int count_apps(void)
{
    int n = 0;
    for (int a = 0; cb_apps[a]; a++)
        n += !cb_apps[a]->synthetic;
    return n;
}
