/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/setup_reader.h"

#include <math.h>
#include <string.h>

enum cb_status cb_setup_number_in(struct cb_config_reader *r, const cJSON *node, const char *where,
                                  double least, double most, bool is_whole, double *number)
{
    double value = cJSON_IsNumber(node) ? node->valuedouble : NAN;
    if (!(value >= least && value <= most) || (is_whole && value != floor(value)))
        return cb_config_fail(r, node, where, "expected a %snumber from %.16g to %.16g",
                              is_whole ? "whole " : "", least, most);
    *number = value;
    return CB_OK;
}

enum cb_status cb_setup_number(struct cb_config_reader *r, const cJSON *object, const char *where,
                               const char *key, double least, double most, bool is_whole,
                               double *number)
{
    char place[CB_CONFIG_WHERE];
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(object, key);
    snprintf(place, sizeof place, "%s: %s", where, key);
    return node ? cb_setup_number_in(r, node, place, least, most, is_whole, number) : CB_OK;
}

enum cb_status cb_setup_keys(struct cb_config_reader *r, const cJSON *object, const char *where,
                             const char *const keys[])
{
    const cJSON *child;
    cJSON_ArrayForEach (child, object) {
        int k = 0;
        while (keys && keys[k] && strcmp(keys[k], child->string) != 0)
            k++;
        if (keys && !keys[k])
            return cb_config_fail(r, child, where, "\"%.60s\" is not known here", child->string);
        if (cJSON_GetObjectItemCaseSensitive(object, child->string) != child)
            return cb_config_fail(r, child, where, "\"%.60s\" is there twice", child->string);
    }
    return CB_OK;
}
