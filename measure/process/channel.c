/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/process/channel.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/host/time.h"

#define POLL_MS 200 /* how late a signal that fell between two checks may be noticed */

enum cb_channel_status cb_channel_send(struct cb_channel *channel, const cJSON *message)
{
    char *text = cJSON_PrintUnformatted(message);
    if (!text)
        return CB_CHANNEL_CLOSED;
    size_t length = strlen(text), sent = 0;
    text[length++] = '\n'; /* in the place of the final zero */
    enum cb_channel_status status = CB_CHANNEL_OK;
    while (sent < length && status == CB_CHANNEL_OK) {
        ssize_t n = write(channel->out, text + sent, length - sent);
        if (n > 0)
            sent += (size_t)n;
        else if (errno != EINTR)
            status = CB_CHANNEL_CLOSED;
    }
    free(text);
    return status;
}

/* Takes the first complete line out of the buffer; NULL: there is none yet. Lines that are not JSON
 * (a driver that prints) are dropped. */
static cJSON *take_message(struct cb_channel *channel)
{
    char *end;
    while ((end = channel->used ? memchr(channel->buffer, '\n', channel->used) : NULL)) {
        *end = '\0';
        cJSON *message = cJSON_Parse(channel->buffer);
        size_t length = (size_t)(end - channel->buffer) + 1;
        memmove(channel->buffer, channel->buffer + length, channel->used - length);
        channel->used -= length;
        if (message)
            return message;
    }
    return NULL;
}

static enum cb_channel_status read_more(struct cb_channel *channel)
{
    if (channel->capacity - channel->used < 4096) {
        size_t capacity = 2 * channel->capacity + 65536;
        char *grown = realloc(channel->buffer, capacity);
        if (!grown)
            return CB_CHANNEL_CLOSED;
        channel->buffer = grown;
        channel->capacity = capacity;
    }
    ssize_t n =
        read(channel->in, channel->buffer + channel->used, channel->capacity - channel->used);
    if (n > 0)
        channel->used += (size_t)n;
    else if (n == 0 || errno != EINTR)
        return CB_CHANNEL_CLOSED;
    return CB_CHANNEL_OK;
}

static int wait_ms(uint64_t deadline_ns)
{
    if (deadline_ns == 0)
        return POLL_MS;
    uint64_t now = cb_now_ns();
    if (now >= deadline_ns)
        return 0;
    uint64_t ms = (deadline_ns - now) / 1000000 + 1;
    return ms < POLL_MS ? (int)ms : POLL_MS;
}

enum cb_channel_status cb_channel_receive(struct cb_channel *channel, uint64_t deadline_ns,
                                          int (*stop)(void), cJSON **message)
{
    bool late = false; /* a flood of junk must not hold off the deadline */
    while (!(*message = take_message(channel))) {
        if (late)
            return CB_CHANNEL_DEADLINE;
        if (stop && stop())
            return CB_CHANNEL_INTERRUPTED;
        struct pollfd readable = {.fd = channel->in, .events = POLLIN};
        int n = poll(&readable, 1, wait_ms(deadline_ns));
        if (n > 0 && read_more(channel) != CB_CHANNEL_OK)
            return CB_CHANNEL_CLOSED;
        late = deadline_ns && cb_now_ns() >= deadline_ns;
    }
    return CB_CHANNEL_OK;
}

void cb_channel_close(struct cb_channel *channel)
{
    if (channel->in >= 0)
        close(channel->in);
    if (channel->out >= 0 && channel->out != channel->in)
        close(channel->out);
    free(channel->buffer);
    *channel = (struct cb_channel){.in = -1, .out = -1};
}
