/* SPDX-License-Identifier: Apache-2.0
 *
 * Status and message of everything that can fail. A function that can fail returns a cb_status and
 * fills the cb_err where the failure happened; callers may put context in front and pass it on.
 * Nothing outside cli/ prints a failure or exits: a failed case is a row of the results.
 */
#pragma once

#include <stddef.h>

/* The first nine are what a row can say of its case (docs/run.schema.json, "status"). */
enum cb_status {
    CB_OK,
    CB_UNSUPPORTED,   /* the device lacks what the case needs */
    CB_SKIPPED,       /* not started: something it needs failed */
    CB_ERROR,         /* OpenCL error, kernel that does not build, I/O */
    CB_CRASHED,       /* the worker process died */
    CB_TIMEOUT,       /* a wait in a kernel or a worker process passed its deadline */
    CB_VERIFY_FAILED, /* ran, but gave a wrong answer */
    CB_INTERRUPTED,   /* Ctrl-C, SIGTERM or SIGHUP while it ran */
    CB_USAGE,         /* command line, configuration, or an input file that is wrong */
    CB_NO_DEVICE,     /* no device matches */
};

#define CB_ERR_TEXT 4096

struct cb_err {
    enum cb_status status;
    char text[CB_ERR_TEXT]; /* one or more lines, no trailing newline; clean (runtime/host/text.h).
                               One that is too long lacks its middle. */
};

/* Sets err (which may be NULL) and returns status. */
enum cb_status cb_fail(struct cb_err *err, enum cb_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Forgets what failed, since another way did not; returns CB_OK. */
enum cb_status cb_succeed(struct cb_err *err);

/* Fails for want of the host's memory, of an amount that needs no telling. */
enum cb_status cb_no_memory(struct cb_err *err);

/* Puts "context: " in front of err's message; returns its status. */
enum cb_status cb_context(struct cb_err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "ok", "timeout", ...: the name used in results. */
const char *cb_status_name(enum cb_status status);

/* The status called name; CB_ERROR if there is none. */
enum cb_status cb_status_from_name(const char *name);

#define CB_COUNTOF(array) (sizeof(array) / sizeof((array)[0]))
