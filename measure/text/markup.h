/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts of result files in XML, HTML and Markdown: whatever they hold, they stay text.
 */
#pragma once

#include <stdio.h>

/* Prints text for an element or a quoted attribute of XML or HTML: & < > and both quotes as
 * entities; what XML 1.0 cannot hold (control characters, bytes that are no UTF-8) as U+FFFD. */
void cb_markup_text(FILE *out, const char *text);

/* Prints text for a cell of a Markdown table: no line breaks, and what Markdown or HTML would take
 * for more than text is escaped. */
void cb_markup_cell(FILE *out, const char *text);

/* Prints text as a string of JSON that may stand in a script element of HTML: nothing in it can end
 * that element. */
void cb_markup_script(FILE *out, const char *text);

/* Prints Markdown as HTML, as much of it as reports use: tables, headings, lists, paragraphs whose
 * lines stay lines. All else stays text. */
void cb_markup_markdown(FILE *out, const char *markdown);
