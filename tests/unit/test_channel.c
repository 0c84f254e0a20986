/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages over a pipe. The test holds the writing end, as a worker would.
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/process/channel.h"
#include "runtime/host/time.h"
#include "tests/unit/unit.h"

#define MS 1000000u

static struct cb_channel channel;
static int writer; /* what is written here, the channel receives */

static int open_pipe(void **unused)
{
    (void)unused;
    int ends[2];
    if (pipe(ends) != 0)
        return -1;
    channel = (struct cb_channel){.in = ends[0], .out = -1};
    writer = ends[1];
    return 0;
}

static int close_pipe(void **unused)
{
    (void)unused;
    cb_channel_close(&channel);
    if (writer >= 0)
        close(writer);
    return 0;
}

static void put(const char *text)
{
    assert_int_equal(write(writer, text, strlen(text)), strlen(text));
}

static void hang_up(void)
{
    close(writer);
    writer = -1;
}

static enum cb_channel_status receive(unsigned within_ms, cJSON **message)
{
    return cb_channel_receive(&channel, cb_now_ns() + within_ms * MS, NULL, message);
}

static void receives(const char *expected)
{
    cJSON *message;
    assert_int_equal(receive(5000, &message), CB_CHANNEL_OK);
    char *text = cJSON_PrintUnformatted(message);
    assert_string_equal(text, expected);
    cJSON_free(text);
    cJSON_Delete(message);
}

static void receives_nothing(enum cb_channel_status expected, unsigned within_ms)
{
    cJSON *message;
    assert_int_equal(receive(within_ms, &message), expected);
    assert_null(message);
}

/* --- Receiving -------------------------------------------------------------------------------- */

TEST_WITH(messages_in_one_read, open_pipe, close_pipe)
{
    put("{\"a\":1}\n{\"b\":2}\n");
    receives("{\"a\":1}");
    receives("{\"b\":2}");
    receives_nothing(CB_CHANNEL_DEADLINE, 10);
}

TEST_WITH(split_reads, open_pipe, close_pipe)
{
    put("{\"text\":\"one, t");
    receives_nothing(CB_CHANNEL_DEADLINE, 10);
    put("wo\"}");
    receives_nothing(CB_CHANNEL_DEADLINE, 10); /* a message ends with its line */
    put("\n{\"next\"");
    receives("{\"text\":\"one, two\"}");
    put(":1}\n");
    receives("{\"next\":1}");
}

TEST_WITH(junk_is_dropped, open_pipe, close_pipe)
{
    put("ptxas info: 0 bytes gmem\n\n{\"cut\": \n\t{\"a\":1}\nWarning!\n{\"b\":2}\n");
    receives("{\"a\":1}");
    receives("{\"b\":2}");
}

TEST_WITH(deadline, open_pipe, close_pipe)
{
    uint64_t start = cb_now_ns();
    receives_nothing(CB_CHANNEL_DEADLINE, 50);
    assert_in_range(cb_now_ns() - start, 50 * MS, 2000 * MS);
    receives_nothing(CB_CHANNEL_DEADLINE, 0); /* has passed already */
    put("{}\n");
    receives("{}"); /* nothing is lost by it */
}

/* A driver that prints all the time does not hold off the deadline. */
TEST_WITH(deadline_in_a_flood, open_pipe, close_pipe)
{
    pid_t child = fork();
    if (child == 0) {
        for (uint64_t start = cb_now_ns(); cb_now_ns() - start < 2000 * MS;)
            if (write(writer, "junk\n", 5) != 5)
                break;
        _exit(0);
    }
    hang_up();
    receives_nothing(CB_CHANNEL_DEADLINE, 100);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

TEST_WITH(closed, open_pipe, close_pipe)
{
    put("junk\n{\"last\":1}\n{\"half");
    hang_up();
    receives("{\"last\":1}"); /* what was said counts */
    receives_nothing(CB_CHANNEL_CLOSED, 5000);
    receives_nothing(CB_CHANNEL_CLOSED, 5000);
}

static int stop_at_once(void)
{
    return 2;
}

TEST_WITH(stop, open_pipe, close_pipe)
{
    cJSON *message;
    assert_int_equal(cb_channel_receive(&channel, 0, stop_at_once, &message),
                     CB_CHANNEL_INTERRUPTED);
    assert_null(message);
}

/* --- Sending ---------------------------------------------------------------------------------- */

/* A message larger than the pipe, with everything that could break a line. */
TEST_WITH(large_message, open_pipe, close_pipe)
{
    cJSON *message = cJSON_CreateObject();
    char *text = malloc(300001);
    assert_non_null(text);
    for (int i = 0; i < 300000; i++)
        text[i] = "\n\"\\x\t\x01"[i % 6];
    text[300000] = '\0';
    cJSON_AddStringToObject(message, "log", text);
    pid_t child = fork();
    if (child == 0) {
        struct cb_channel out = {.in = -1, .out = writer};
        _exit(cb_channel_send(&out, message) == CB_CHANNEL_OK ? 0 : 1);
    }
    cJSON *received;
    assert_int_equal(receive(20000, &received), CB_CHANNEL_OK);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(received, "log")), text);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    cJSON_Delete(received);
    cJSON_Delete(message);
    free(text);
}

TEST_WITH(send_to_nobody, open_pipe, close_pipe)
{
    signal(SIGPIPE, SIG_IGN); /* as the program does */
    close(channel.in);
    channel.in = -1;
    struct cb_channel out = {.in = -1, .out = writer};
    cJSON *message = cJSON_CreateObject();
    assert_int_equal(cb_channel_send(&out, message), CB_CHANNEL_CLOSED);
    cJSON_Delete(message);
    signal(SIGPIPE, SIG_DFL);
}
