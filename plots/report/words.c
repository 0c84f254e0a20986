/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of the page that has the glossary.
 */
#include <string.h>

#include "measure/text/glossary.h"
#include "plots/report/parts.h"

void cb_report_words(const struct cb_report *report)
{
    struct cb_glossary glossary;
    struct cb_err err = {0};
    fputs("<section id=\"words\"><h2>Words</h2>\n<details><summary>What the tables mean by their "
          "words</summary>\n",
          report->out);
    const char *heading = "";
    if (cb_glossary_read(&glossary, &err) != CB_OK)
        cb_report_element(report, "p", err.text);
    for (int i = 0; i < glossary.count; i++) {
        const struct cb_term *term = &glossary.terms[i];
        if (strcmp(heading, term->heading) != 0) {
            fputs(i ? "</dl>\n" : "", report->out);
            cb_report_element(report, "h3", term->heading);
            fputs("<dl>\n", report->out);
        }
        heading = term->heading;
        cb_report_prose(report, "dt", term->names);
        cb_report_prose(report, "dd", term->text);
        fputs("\n", report->out);
    }
    fputs(glossary.count ? "</dl>\n" : "", report->out);
    fputs("</details></section>\n", report->out);
    cb_glossary_free(&glossary);
}
