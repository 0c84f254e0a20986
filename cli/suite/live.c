/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suite/live.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/suite/tables.h"
#include "measure/text/table.h"
#include "runtime/host/time.h"

#define PERIOD_NS      100000000u
#define DEFAULT_HEIGHT 24
#define LEAST_HEIGHT   3 /* a head, its rule, a row */

void cb_live_begin(struct cb_live *live, const struct cb_plan *plan, bool wanted, bool bar)
{
    *live = (struct cb_live){
        .wanted = wanted,
        .bar = bar,
        .on = wanted && bar && isatty(STDOUT_FILENO) && isatty(STDERR_FILENO),
    };
    cb_tables_begin(&live->tables, plan, cb_line_width(stdout));
}

void cb_live_end(struct cb_live *live)
{
    cb_tables_end(&live->tables);
    free(live->text);
    *live = (struct cb_live){0};
}

void cb_live_erase(struct cb_live *live)
{
    if (live->on)
        fputs("\r\033[J", stderr); /* the bar */
    if (live->shown > 0)
        fprintf(stderr, "\033[%dA\033[J", live->shown);
    live->shown = 0;
    live->drawn_ns = 0; /* it is drawn again at once */
}

/* Lines of the terminal that the bar leaves free. */
static int room_above_bar(void)
{
    struct winsize size;
    int height = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row
                                                                                 : DEFAULT_HEIGHT;
    return height - 2;
}

static char *render(const struct cb_tables *tables, const cJSON *document)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    cb_tables_rest(out, tables, document);
    fclose(out);
    return text;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

static int count_lines(const char *text)
{
    int n = 0;
    for (; *text; text = next_line(text))
        n++;
    return n;
}

/* The first line of text that differs from the one in the text before, by more than how columns are
 * padded. */
static int changed_line(const char *before, const char *text)
{
    int line = 0;
    for (;;) {
        before += strspn(before, " -");
        text += strspn(text, " -");
        if (*before != *text || !*text)
            return line;
        line += *text == '\n';
        before++;
        text++;
    }
}

/* Characters of UTF-8 that do not fit into the width go. */
static void draw_line(const char *line, int width)
{
    for (int n = 0; *line && *line != '\n'; line++) {
        n += ((unsigned char)*line & 0xc0) != 0x80;
        if (n > width)
            break;
        fputc(*line, stderr);
    }
    fputc('\n', stderr);
}

/* Draws `room` lines of text, from line `first` on. If that is within a table, the first two are
 * the head of the table. */
static void draw_part(const char *text, int first, int room, int width)
{
    const char *head = NULL, *line = text;
    bool in_table = false;
    for (int i = 0; *line && i < first; i++, line = next_line(line)) {
        if (*line == '|' && !in_table)
            head = line;
        in_table = *line == '|';
    }
    if (in_table && *line == '|') {
        draw_line(head, width);
        draw_line(next_line(head), width);
        line = next_line(next_line(line));
        room -= 2;
    }
    for (; *line && room > 0; room--, line = next_line(line))
        draw_line(line, width);
}

static void draw(struct cb_live *live, const cJSON *document)
{
    int room = room_above_bar(), width = cb_line_width(stderr) - 1;
    uint64_t now = cb_now_ns();
    live->stale = now - live->drawn_ns < PERIOD_NS;
    if (!live->on || room < LEAST_HEIGHT || live->stale)
        return;
    char *text = render(&live->tables, document);
    if (!text)
        return;
    int lines = count_lines(text), changed = live->text ? changed_line(live->text, text) : lines;
    int first = lines <= room ? 0 : changed - room / 2;
    first = first < 0 ? 0 : first > lines - room && lines > room ? lines - room : first;
    cb_live_erase(live);
    draw_part(text, first, room, width);
    live->shown = lines < room ? lines : room;
    live->drawn_ns = now;
    free(live->text);
    live->text = text;
    fflush(stderr);
}

/* Whether standard output takes some lines at once. A reader that pauses, such as a pager, must not
 * stop the run. */
static bool takes_text(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) > 0 && (out.revents & POLLOUT);
}

static void print_finished(struct cb_live *live, const cJSON *document)
{
    live->tables.stale = !takes_text();
    char *text = live->tables.stale ? NULL : cb_tables_take(&live->tables, document);
    if (!text)
        return;
    if (live->bar)
        fputs("\r\033[K", stderr);
    cb_live_erase(live);
    fflush(stderr);
    fputs(text, stdout);
    fflush(stdout);
    free(text);
}

void cb_live_update(struct cb_live *live, const cJSON *document)
{
    if (!live->wanted)
        return;
    print_finished(live, document);
    draw(live, document);
}

void cb_live_refresh(struct cb_live *live, const cJSON *document)
{
    if (live->stale || live->tables.stale)
        cb_live_update(live, document);
}
