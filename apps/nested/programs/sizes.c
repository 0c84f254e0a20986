/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/nested/programs/sizes.h"

#include <stddef.h>
#include <string.h>

const char *const cb_launch_size_names[] = {"small", "medium", "large", CB_LAUNCH_INPUT, NULL};

int cb_launch_size_place(const char *size)
{
    int place = 0;
    while (cb_launch_size_names[place] && strcmp(size, cb_launch_size_names[place]) != 0)
        place++;
    return place;
}
