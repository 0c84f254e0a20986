/* SPDX-License-Identifier: Apache-2.0
 *
 * Help made of parameter tables: options, their values and defaults, wrapped to 80 columns.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

#define LINE_WIDTH 80
#define MAX_LEFT   28 /* longer options have their help in the next line */

const char *cb_param_value_name(const struct cb_param *param)
{
    static const char *const by_kind[] = {
        [CB_FIELD_FLAG] = "",     [CB_FIELD_UINT] = "N",     [CB_FIELD_GIVEN_UINT] = "N",
        [CB_FIELD_UINTS] = "N",   [CB_FIELD_REAL] = "X",     [CB_FIELD_REALS] = "X",
        [CB_FIELD_TEXT] = "TEXT", [CB_FIELD_TEXTS] = "TEXT",
    };
    if (param->value_name)
        return param->value_name;
    return param->choices ? "WORD" : by_kind[param->into.kind];
}

/* "  -o, --output-dir DIR" */
static int print_option(FILE *out, const struct cb_param *param)
{
    char letter[] = {'-', param->letter, ',', '\0'};
    int n = fprintf(out, "  %3s --%s", param->letter ? letter : "", param->name);
    if (cb_param_has_value(param))
        n +=
            fprintf(out, " %s%s", cb_param_value_name(param), cb_param_splits(param) ? ",..." : "");
    return n;
}

static int option_width(const struct cb_param *param)
{
    int n = (int)(strlen("  -o, --") + strlen(param->name));
    if (cb_param_has_value(param))
        n += (int)(1 + strlen(cb_param_value_name(param)) +
                   (cb_param_splits(param) ? strlen(",...") : 0));
    return n;
}

/* What the table says beyond the help: "one of a, b", "1 to 100". */
static void print_values(FILE *out, const struct cb_param *param)
{
    if (param->choices) {
        for (const char *c = param->choices; *c; c++)
            fprintf(out, "%c%s", *c, *c == ',' ? " " : "");
    } else if (param->max > 0) {
        fprintf(out, "%.12g to %.12g", param->min, param->max);
    } else if (param->min > 0) {
        fprintf(out, "at least %.12g", param->min);
    }
}

char *cb_param_help(const struct cb_param *param)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    bool values = param->choices || param->max > 0 || param->min > 0;
    bool has_default = param->quick || param->default_value;
    fprintf(out, "%s", param->help ? param->help : "");
    if (values || has_default)
        fprintf(out, " [");
    print_values(out, param);
    if (has_default)
        fprintf(out, "%sdefault: %s", values ? "; " : "",
                param->quick ? param->quick : param->default_value);
    if (param->quick && param->default_value)
        fprintf(out, "; with --full %s", param->default_value);
    if (values || has_default)
        fprintf(out, "]");
    fclose(out);
    return text;
}

void cb_print_wrapped(FILE *out, const char *text, int indent)
{
    int column = indent;
    while (*text) {
        text += strspn(text, " ");
        int length = (int)strcspn(text, " \n");
        if (column > indent && column + 1 + length > LINE_WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        }
        column += fprintf(out, "%s%.*s", column > indent ? " " : "", length, text);
        text += length;
        if (*text == '\n') {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
            text++;
        }
    }
    fprintf(out, "\n");
}

void cb_print_params(FILE *out, const struct cb_param *table, const struct cb_param *hidden_by)
{
    int left = 0;
    for (const struct cb_param *param = table; param && param->name; param++) {
        int width = option_width(param);
        if (width > left && width <= MAX_LEFT)
            left = width;
    }
    int indent = (left ? left : MAX_LEFT) + 2;
    for (const struct cb_param *param = table; param && param->name; param++) {
        if (hidden_by && cb_param_find(hidden_by, param->name))
            continue;
        int width = print_option(out, param);
        if (width + 2 > indent)
            fprintf(out, "\n%*s", indent, "");
        else
            fprintf(out, "%*s", indent - width, "");
        char *help = cb_param_help(param);
        cb_print_wrapped(out, help ? help : "", indent);
        free(help);
    }
}
