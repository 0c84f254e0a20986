/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/export/gauges.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/host/text.h"

/* ---- Texts ----------------------------------------------------------------------------------- */

void cb_gauge_name(FILE *out, const char *text)
{
    for (; *text; text++)
        fputc(isalnum((unsigned char)*text) ? tolower((unsigned char)*text) : '_', out);
}

/* The value of a label, or a help: on one line, without what would have to be escaped. */
static void print_label_value(FILE *out, const char *text)
{
    const size_t n = strlen(text), room = CB_TEXT_ROOM(n);
    char *clean = malloc(room);
    if (clean)
        cb_text_clean(clean, room, text, n, CB_TEXT_STORED);
    for (const char *c = clean; c && *c; c++)
        if (*c == '\n')
            fputs("\\n", out);
        else if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else
            fputc(*c, out);
    free(clean);
}

void cb_gauge_label(FILE *out, const char *name, const char *value)
{
    if (!*value)
        return;
    fprintf(out, "%s%s=\"", ftell(out) > 0 ? "," : "", name);
    print_label_value(out, value);
    fputc('"', out);
}

void cb_gauge_help(FILE *out, const char *text)
{
    for (; *text; text++)
        fputc(*text == '"'                    ? '\''
              : *text == '\\'                 ? '/'
              : isspace((unsigned char)*text) ? ' '
              : (unsigned char)*text < ' '    ? '?'
                                              : *text,
              out);
}

/* ---- Gauges ---------------------------------------------------------------------------------- */

FILE *cb_gauge_text_open(struct cb_gauge_text *t)
{
    return t->out = open_memstream(&t->text, &t->size);
}

char *cb_gauge_text_close(struct cb_gauge_text *t)
{
    if (!t->out || fclose(t->out) == 0)
        return t->text;
    free(t->text);
    return t->text = NULL;
}

static struct cb_gauge *append(struct cb_gauges *s)
{
    if (s->n == s->room) {
        const size_t room = s->room ? 2 * s->room : 64;
        struct cb_gauge *grown = realloc(s->items, room * sizeof *grown);
        if (!grown)
            return NULL;
        s->items = grown;
        s->room = room;
    }
    return &s->items[s->n++];
}

void cb_gauges_add(struct cb_gauges *s, struct cb_gauge gauge)
{
    struct cb_gauge *to = gauge.family && gauge.labels && gauge.help ? append(s) : NULL;
    if (to) {
        *to = gauge;
        return;
    }
    free(gauge.family);
    free(gauge.labels);
    free(gauge.help);
    s->no_memory = true;
}

void cb_gauges_free(struct cb_gauges *s)
{
    for (size_t i = 0; i < s->n; i++) {
        free(s->items[i].family);
        free(s->items[i].labels);
        free(s->items[i].help);
    }
    free(s->items);
}

/* ---- Output ---------------------------------------------------------------------------------- */

static int by_family_and_labels(const void *a, const void *b)
{
    const struct cb_gauge *x = a, *y = b;
    const int order = strcmp(x->family, y->family);
    return order ? order : strcmp(x->labels, y->labels);
}

bool cb_gauges_repeats(const struct cb_gauges *s, size_t i)
{
    return i > 0 && by_family_and_labels(&s->items[i - 1], &s->items[i]) == 0;
}

static void print_family(FILE *out, const struct cb_gauge *of)
{
    fprintf(out, "# HELP %s %s\n# TYPE %s gauge\n", of->family, of->help, of->family);
    if (*of->unit)
        fprintf(out, "# UNIT %s %s\n", of->family, of->unit);
}

static void print_gauge(FILE *out, const struct cb_gauge *of)
{
    fprintf(out, "%s{%s", of->family, of->labels);
    if (of->state) {
        fputs(*of->labels ? ",state=\"" : "state=\"", out);
        print_label_value(out, of->state);
        fputc('"', out);
    }
    fprintf(out, "} %.15g\n", of->value);
}

void cb_gauges_sort(struct cb_gauges *s)
{
    if (s->n > 0)
        qsort(s->items, s->n, sizeof *s->items, by_family_and_labels);
}

int cb_gauges_print(FILE *out, const struct cb_gauges *s)
{
    int count = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (cb_gauges_repeats(s, i))
            continue;
        if (i == 0 || strcmp(s->items[i - 1].family, s->items[i].family) != 0)
            print_family(out, &s->items[i]);
        print_gauge(out, &s->items[i]);
        count++;
    }
    fputs("# EOF\n", out);
    return count;
}
