/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the user's text is cut for what the language needs before functions.
 */
#include "runtime/merge/unit.h"

#include <ctype.h>
#include <string.h>

/* Where the comment right before a line begins. */
static uint32_t with_comment(const struct cb_merge_unit *u, uint32_t at)
{
    uint32_t end = at;
    while (end > 0 && isspace((unsigned char)u->text[end - 1]))
        end--;
    if (end < 4 || strncmp(u->text + end - 2, "*/", 2) != 0 || u->code[end - 1] != ' ')
        return at;
    uint32_t begin = end - 2;
    while (begin > 0 && strncmp(u->text + begin, "/*", 2) != 0)
        begin--;
    while (begin > 0 && (u->code[begin - 1] == ' ' || u->code[begin - 1] == '\t'))
        begin--;
    return begin == 0 || u->code[begin - 1] == '\n' ? begin : at;
}

/* Whether a line that begins with # includes functions of the kernel library: the user's files are
 * in the text, and those for the host, too (.h), have types. */
static bool is_include(const struct cb_merge_unit *u, const char *word)
{
    const char *name = u->text + (word - u->code) + strlen("include");
    name += strspn(name, " \t");
    return strncmp(word, "include", 7) == 0 && *name == '"' &&
           strncmp(name + strcspn(name + 1, "\"\n") - 3, ".clh\"", 5) == 0;
}

bool cb_merge_may_be_late(const struct cb_merge_unit *u)
{
    const uint32_t kernel = u->functions[u->kernel].begin;
    int depth = 0;
    for (int f = 0; f < u->n_functions; f++)
        if (u->functions[f].begin < kernel && u->functions[f].needs_view)
            return false;
    for (const char *line = u->code; line && line < u->code + kernel;) {
        const char *word = line + strspn(line, " \t");
        const bool is_directive = *word == '#';
        word += is_directive ? 1 + strspn(word + 1, " \t") : 0;
        if (is_directive && is_include(u, word))
            return false;
        depth += is_directive && strncmp(word, "if", 2) == 0;
        depth -= is_directive && strncmp(word, "endif", 5) == 0;
        line = strchr(line, '\n');
        line += line != NULL;
    }
    return depth == 0;
}

/* Where the language begins, before the first function and the kernel library, and before the #if
 * that they are in. Types of arguments and of the state are declared before. */
uint32_t cb_merge_split(const struct cb_merge_unit *u)
{
    uint32_t at = 0, first = u->functions[0].begin;
    if (u->is_late && !u->is_task)
        return with_comment(u, u->functions[u->kernel].begin);
    for (int f = 0; f < u->n_functions; f++)
        first = u->functions[f].begin < first ? u->functions[f].begin : first;
    int depth = 0;
    for (const char *line = u->code; line && line <= u->code + first;) {
        const char *word = line + strspn(line, " \t");
        if (depth == 0)
            at = (uint32_t)(line - u->code);
        if (*word == '#') {
            word += 1 + strspn(word + 1, " \t");
            if (is_include(u, word))
                break;
            depth += strncmp(word, "if", 2) == 0;
            depth -= strncmp(word, "endif", 5) == 0;
        }
        const char *end = strchr(line, '\n');
        line = end ? end + 1 : NULL;
    }
    return with_comment(u, at);
}
