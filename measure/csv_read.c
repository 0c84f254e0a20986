/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "measure/csv.h"

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

void cb_csv_read_samples(FILE *in, void (*take)(void *self, const struct cb_csv_sample *sample),
                         void *self)
{
    char *line = NULL;
    size_t size = 0;
    for (ssize_t n; (n = getline(&line, &size, in)) > 0;) {
        char *rest = line, *field[FIELDS], *end;
        int k = 0;
        while (k < FIELDS && line[n - 1] == '\n' && (field[k] = take_field(&rest)) != NULL)
            k++;
        if (k < FIELDS)
            continue;
        double value = strtod(field[4], &end);
        if (end != field[4] && !*end) /* else the head, or an edited line */
            take(self, &(struct cb_csv_sample){field[0], field[1], field[2], value});
    }
    free(line);
}
