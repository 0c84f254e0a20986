/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/case.h"

#include <stdlib.h>
#include <string.h>

void cb_case_set(struct cb_case *c, const char *name, const char *value)
{
    const struct cb_param *param = cb_param_find(c->bench->params, name);
    if (!param)
        abort(); /* no option of this bench: a mistake of the programmer */
    bool number = param->type == CB_PARAM_UINT || param->type == CB_PARAM_REAL;
    if (param->type == CB_PARAM_FLAG && strcmp(value, "true") == 0)
        cJSON_AddTrueToObject(c->params, name);
    else if (number)
        cJSON_AddNumberToObject(c->params, name, strtod(value, NULL));
    else if (param->type != CB_PARAM_FLAG)
        cJSON_AddStringToObject(c->params, name, value);
}

void cb_case_take(struct cb_case *c, const cJSON *options, const char *name)
{
    const char *value = cb_option_text(options, name);
    if (value)
        cb_case_set(c, name, value);
}
