/* SPDX-License-Identifier: Apache-2.0
 *
 * What a look has seen.
 */
#include <math.h>

#include "runtime/neighbours/internal.h"

void cb_look_sees(struct cb_look *look, const char *sign, double share)
{
    look->sign = sign;
    look->share = fmin(share, 1);
}

cJSON *cb_look_to_json(const struct cb_look *look)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "begin_ns", (double)look->begin_ns);
    cJSON_AddNumberToObject(object, "end_ns", (double)look->end_ns);
    if (look->sign) {
        cJSON_AddStringToObject(object, "sign", look->sign);
        cJSON_AddNumberToObject(object, "share", look->share);
    }
    if (look->longest_ns > 0)
        cJSON_AddNumberToObject(object, "longest_ns", look->longest_ns);
    if (look->processes >= 0)
        cJSON_AddNumberToObject(object, "processes", look->processes);
    if (look->bytes > 0)
        cJSON_AddNumberToObject(object, "bytes", look->bytes);
    return object;
}
