/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/case.h"

#include <stdlib.h>
#include <string.h>

static bool is_number(const struct cb_param *param)
{
    return param->into.kind != CB_FIELD_TEXT && param->into.kind != CB_FIELD_TEXTS &&
           cb_param_has_value(param);
}

void cb_case_set(struct cb_case *c, const char *name, const char *value)
{
    const struct cb_param *param = cb_param_find(c->bench->params, name);
    if (!param)
        abort(); /* no option of this bench: a mistake of the programmer */
    if (is_number(param))
        cJSON_AddNumberToObject(c->params, name, strtod(value, NULL));
    else if (cb_param_has_value(param))
        cJSON_AddStringToObject(c->params, name, value);
    else if (strcmp(value, "true") == 0)
        cJSON_AddTrueToObject(c->params, name);
}

void cb_case_take(struct cb_case *c, const cJSON *options, const char *name)
{
    const char *value = cb_option_text(options, name);
    if (value)
        cb_case_set(c, name, value);
}
