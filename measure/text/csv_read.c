/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the CSV files that csv.c writes.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/csv.h"
#include "measure/text/lines.h"

#define FIELDS 5 /* case_id,device_id,metric,index,value */

/* Takes a field off the line, without its quotes, in place. NULL: a quote is not closed. */
static char *take_field(char **line)
{
    char *field = *line, *to = *line, *from = *line;
    if (*from != '"') {
        from += strcspn(from, ",\r\n");
        to = from;
    } else {
        for (from++; *from && (*from != '"' || from[1] == '"'); from++) {
            from += *from == '"';
            *to++ = *from;
        }
        if (*from++ != '"')
            return NULL;
    }
    *line = *from == ',' ? from + 1 : from;
    *to = '\0';
    return field;
}

static bool read_sample(char *line, struct cb_csv_sample *sample)
{
    char *field[FIELDS], *end;
    for (int k = 0; k < FIELDS; k++)
        if ((field[k] = take_field(&line)) == NULL)
            return false;
    *sample = (struct cb_csv_sample){field[0], field[1], field[2], strtod(field[4], &end)};
    return end != field[4] && !*end; /* else the head, or an edited line */
}

enum cb_status cb_csv_read_samples(const char *path,
                                   void (*take)(void *self, const struct cb_csv_sample *sample),
                                   void *self, struct cb_err *err)
{
    struct cb_lines lines;
    struct cb_csv_sample sample;
    enum cb_status status = cb_lines_open(&lines, path, err);
    while (status == CB_OK && cb_lines_next(&lines))
        if (lines.whole && read_sample(lines.text, &sample))
            take(self, &sample);
    enum cb_status closed = cb_lines_close(&lines);
    return status == CB_OK ? closed : status;
}
