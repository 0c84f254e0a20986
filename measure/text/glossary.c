/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/text/glossary.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "measure/text/nearest.h"
#include "runtime/source.h"

static const char page[] = "docs/glossary.md";

/* Joins the lines of an item to the first one; returns the next line after them. */
static char *join_lines(char *line)
{
    char *to = line + strcspn(line, "\n"), *from = to;
    while (strncmp(from, "\n  ", 3) == 0) {
        from += 3;
        size_t n = strcspn(from, "\n");
        *to++ = ' ';
        memmove(to, from, n);
        to += n;
        from += n;
    }
    char *next = *from ? from + 1 : from;
    *to = '\0';
    return next;
}

/* "- **names** (commands): text"; false: some other line. */
static bool parse(char *line, struct cb_term *term)
{
    char *names = line + strlen("- **");
    char *end = strncmp(line, "- **", strlen("- **")) == 0 ? strstr(names, "**") : NULL;
    char *text = end ? strstr(end, ": ") : NULL;
    if (!text)
        return false;
    *end = *text = '\0';
    char *commands = end + strlen("**");
    commands += strspn(commands, " (");
    commands[strcspn(commands, ")")] = '\0';
    *term = (struct cb_term){.names = names, .commands = commands, .text = text + strlen(": ")};
    return true;
}

enum cb_status cb_glossary_read(struct cb_glossary *glossary, struct cb_err *err)
{
    *glossary = (struct cb_glossary){0};
    enum cb_status status = cb_source_read(page, &glossary->source, err);
    if (status != CB_OK)
        return status;
    int most = 1;
    for (const char *c = glossary->source; *c; c++)
        most += *c == '\n';
    glossary->terms = calloc((size_t)most, sizeof *glossary->terms);
    if (!glossary->terms)
        return cb_no_memory(err);
    const char *heading = "";
    for (char *line = glossary->source, *next; *line; line = next) {
        next = join_lines(line);
        struct cb_term *term = &glossary->terms[glossary->count];
        if (strncmp(line, "## ", strlen("## ")) == 0)
            heading = line + strlen("## ");
        else if (parse(line, term)) {
            term->heading = heading;
            glossary->count++;
        }
    }
    return CB_OK;
}

void cb_glossary_free(struct cb_glossary *glossary)
{
    free(glossary->terms);
    free(glossary->source);
}

bool cb_glossary_has(const char *list, const char *item)
{
    size_t length = strlen(item);
    for (const char *at = list; *at;) {
        size_t n = strcspn(at, ",");
        if (n == length && strncasecmp(at, item, n) == 0)
            return true;
        at += n;
        at += strspn(at, ", ");
    }
    return false;
}

void cb_glossary_print_hint(FILE *out, const char *command)
{
    struct cb_glossary glossary;
    struct cb_err err = {0};
    const char *separator = "\nWords: ";
    if (cb_glossary_read(&glossary, &err) == CB_OK)
        for (int i = 0; i < glossary.count; i++)
            if (cb_glossary_has(glossary.terms[i].commands, command)) {
                const char *names = glossary.terms[i].names;
                fprintf(out, "%s%.*s", separator, (int)strcspn(names, ","), names);
                separator = ", ";
            }
    if (separator[0] == ',')
        fprintf(out, ": `coopbench glossary %s` explains them.\n", command);
    cb_glossary_free(&glossary);
}
