/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suite/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/documents/beside.h"
#include "analysis/documents/inputs.h"
#include "measure/text/table.h"

/* Ends the block that begins at text. Returns where the next one begins. */
static char *end_block(char *text, struct cb_block *block)
{
    *block = (struct cb_block){text, *text == '|'};
    for (char *end = text; (end = strstr(end, "\n\n"));) {
        char *next = end + strspn(end, "\n");
        bool title = *next == '|' && !block->table;
        if (!title) {
            *end = '\0';
            return next;
        }
        block->table = true;
        end = next;
    }
    text += strlen(text);
    if (text[-1] == '\n')
        text[-1] = '\0';
    return text;
}

struct cb_blocks cb_blocks_of(char *text)
{
    struct cb_blocks b = {.text = text};
    for (char *at = text ? text + strspn(text, "\n") : ""; *at;) {
        struct cb_block *grown = realloc(b.items, sizeof *grown * (size_t)(b.count + 1));
        if (!grown)
            break;
        b.items = grown;
        at = end_block(at, &b.items[b.count++]);
    }
    return b;
}

struct cb_blocks cb_blocks_report(const struct cb_bench *bench, const cJSON *run, int width)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return (struct cb_blocks){0};
    cb_line_width_in_memory(width);
    cb_report_print(out, bench, run);
    cb_inputs_print(out, run, bench->id);
    cb_line_width_in_memory(0);
    fclose(out);
    return cb_blocks_of(text);
}

void cb_blocks_free(struct cb_blocks *b)
{
    free(b->items);
    free(b->text);
    *b = (struct cb_blocks){0};
}

bool cb_blocks_have(const struct cb_blocks *b, const char *text)
{
    for (int i = 0; i < b->count; i++)
        if (strcmp(b->items[i].text, text) == 0)
            return true;
    return false;
}
