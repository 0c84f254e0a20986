/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel for a launch of its own, in which nobody could do tasks that it submits.
 */
#include <string.h>

#include "runtime/merge/merge.h"
#include "runtime/merge/unit.h"
#include "runtime/source.h"

/* After the parenthesis that closes the first one from `at` on; at the end, where there is none. */
static const char *end_of_call(const char *at)
{
    int open = 0;
    for (; *at; at++) {
        open += (*at == '(') - (*at == ')');
        if (*at == ')' && open <= 0)
            return at + 1;
    }
    return at;
}

/* The lines stay where they are. */
static void write_refusal(FILE *out, const char *call, const char *end)
{
    fputs("false", out);
    for (; call < end; call++)
        if (*call == '\n')
            fputc('\n', out);
}

enum cb_status cb_merge_plain(const struct cb_merge_source *source, FILE *out, struct cb_err *err)
{
    struct cb_merge_unit u = {0};
    if (cb_source_users_text(source->path, source->options, source->beside, &u.text, err) != CB_OK)
        return err->status;
    cb_merge_blank(&u);
    const char *done = u.code;
    for (const char *at = done; (at = cb_merge_find_word(&u, at, CB_MERGE_SUBMIT)); at = done) {
        fwrite(u.text + (done - u.code), 1, (size_t)(at - done), out);
        done = end_of_call(at);
        write_refusal(out, at, done);
    }
    fputs(u.text + (done - u.code), out);
    cb_merge_free(&u);
    return CB_OK;
}
