/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages between parent and worker: one JSON document a line, over a pipe.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>

struct cb_channel {
    int in, out;  /* file descriptors; -1: closed */
    char *buffer; /* bytes read and not yet used */
    size_t used, capacity;
};

enum cb_channel_status {
    CB_CHANNEL_OK,
    CB_CHANNEL_CLOSED,      /* the other side has gone, or no memory */
    CB_CHANNEL_DEADLINE,    /* nothing came in time */
    CB_CHANNEL_INTERRUPTED, /* stop() said so */
};

/* Sends a message. */
enum cb_channel_status cb_channel_send(struct cb_channel *channel, const cJSON *message);

/* Receives a message, the caller's to delete. deadline_ns: in cb_now_ns() time, 0 for none.
 * stop (may be NULL) is asked at once, after every signal, and a few times a second. */
enum cb_channel_status cb_channel_receive(struct cb_channel *channel, uint64_t deadline_ns,
                                          int (*stop)(void), cJSON **message);

void cb_channel_close(struct cb_channel *channel);
