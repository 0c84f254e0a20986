/* SPDX-License-Identifier: Apache-2.0 */
#include "plots/report/page.h"

#include <stdlib.h>
#include <string.h>

#include "measure/text/markup.h"

void cb_report_element(const struct cb_report *report, const char *tag, const char *text)
{
    fprintf(report->out, "<%s>", tag);
    cb_markup_text(report->out, text);
    fprintf(report->out, "</%s>", tag);
}

void cb_report_begin_table(const struct cb_report *report, const char *const *heads, size_t n)
{
    fputs("<div class=\"wide tall\"><table class=\"sort cards\"><thead><tr>", report->out);
    for (size_t i = 0; i < n; i++)
        cb_report_element(report, "th", heads[i]);
    fputs("</tr></thead><tbody>\n", report->out);
}

void cb_report_end_table(const struct cb_report *report)
{
    fputs("</tbody></table></div>\n", report->out);
}

void cb_report_prose(const struct cb_report *report, const char *tag, const char *text)
{
    fprintf(report->out, "<%s>", tag);
    for (bool code = false;; code = !code) {
        size_t n = strcspn(text, "`");
        bool pair = text[n] && (code || strchr(text + n + 1, '`'));
        char *part = strndup(text, n);
        cb_markup_text(report->out, part ? part : "");
        free(part);
        if (!text[n])
            break;
        fputs(!pair ? "`" : code ? "</code>" : "<code>", report->out);
        text += n + 1;
    }
    fprintf(report->out, "</%s>", tag);
}
