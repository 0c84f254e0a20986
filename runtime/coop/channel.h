/* SPDX-License-Identifier: Apache-2.0
 *
 * How the host reaches a running megakernel: `svm`, fine-grained shared memory with atomics, or
 * `queue`, small copies on a second queue (NVIDIA has no fine-grained SVM, but lets them through).
 */
#pragma once

#include <stdbool.h>

#include "kernels/coop_abi.h"
#include "runtime/session.h"

struct cb_coop_channel {
    struct cb_session *session;
    coop_channel *shared;   /* svm */
    cl_mem buffer;          /* queue */
    cl_command_queue queue; /* the second queue */
    coop_host_words host;   /* words of the host, as it wrote them */
};

/* Opens the channel `name`: "svm", "queue", or "auto" (also "" and NULL). CB_UNSUPPORTED: the
 * device has no such channel. */
enum cb_status cb_coop_channel_open(struct cb_coop_channel *channel, struct cb_session *session,
                                    const char *name, struct cb_err *err);
void cb_coop_channel_close(struct cb_coop_channel *channel);

/* Whether the host's copies need a thread of the device. */
bool cb_coop_channel_needs_thread(const struct cb_coop_channel *channel);

/* Clears the channel while no kernel runs. */
enum cb_status cb_coop_channel_reset(struct cb_coop_channel *channel, const coop_host_words *host,
                                     struct cb_err *err);

enum cb_status cb_coop_channel_arg(struct cb_coop_channel *channel, cl_kernel kernel, cl_uint index,
                                   struct cb_err *err);

/* Sends a command, with the next number. */
enum cb_status cb_coop_channel_send(struct cb_coop_channel *channel, const coop_order *order,
                                    struct cb_err *err);

/* Sends a word of channel->host, and nothing else. */
enum cb_status cb_coop_channel_send_word(struct cb_coop_channel *channel, const uint32_t *word,
                                         struct cb_err *err);
/* Sends channel->host.limits, in one write. */
enum cb_status cb_coop_channel_send_limits(struct cb_coop_channel *channel, struct cb_err *err);
/* stop: COOP_STOP_... */
enum cb_status cb_coop_channel_send_stop(struct cb_coop_channel *channel, uint32_t stop,
                                         struct cb_err *err);

/* Reads what became of the command with this number; the answer is whole if it has the number. */
enum cb_status cb_coop_channel_answer(struct cb_coop_channel *channel, uint32_t number,
                                      coop_answer *answer, struct cb_err *err);

/* Reads what the scheduler says of a cooperative kernel. */
enum cb_status cb_coop_channel_look(struct cb_coop_channel *channel, unsigned kernel,
                                    coop_device_kernel *words, struct cb_err *err);
