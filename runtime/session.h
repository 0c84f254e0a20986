/* SPDX-License-Identifier: Apache-2.0
 *
 * A worker's hold on one device: context, queue, clock, and the launch record that bounds the waits
 * of every kernel it runs. One session per worker process, used from one thread.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernels/launch_abi.h"
#include "runtime/device.h"

/* What is told of launches, from whichever thread launches; before NULL: nobody is told. */
struct cb_launch_hook {
    void (*before)(void *self);                           /* a launch is about to be enqueued */
    void (*launched)(void *self, cl_command_queue queue); /* it is; NULL: it was refused */
    /* All that the queue had has ended; goes_on: more may come at once. */
    void (*finished)(void *self, cl_command_queue queue, bool goes_on);
    void *self;
};

struct cb_session {
    struct cb_session *first; /* the session that this is a second queue of; NULL: none */
    struct cb_kept *kept;     /* by cb_session_kept() */
    struct cb_device info;
    cl_context context;
    cl_device_id device;
    cl_command_queue queue; /* in order, with profiling */
    uint64_t launched_ns;   /* host clock at the last launch */
    cl_mem launch_record;   /* cb_launch: argument 0 of every kernel */
    double ns_per_tick;     /* tick of cb_clock(); 0: no clock */
    double clock_resolution_ns;
    uint64_t wait_deadline_ns;
    cb_launch deadlines; /* what the launch record starts from */
    uint64_t gap_ticks;  /* longest gap that a wait has seen, since who looks for gaps took it */
    char defines[160];   /* compiler options for kernels that do not say these things themselves */
    struct cb_built_program *built;
    struct cb_launch_hook hook; /* of its launches and of second queues' */
    bool calls_no_hook;         /* a second queue that the hook itself launches on */
    uint64_t neighbour;         /* hash of what we have beside us (--beside); 0: nothing */
    bool rehearsal;             /* as in the options */
    bool stuck;                 /* a launch does not end: this process is of no use any more */
};

/* Choices that replace what the device says: "" or "auto" keeps it. */
struct cb_session_options {
    const char *atomics; /* "c11", "ptx", "cl12" */
    const char *clock;   /* "none" */
    const char *defines; /* " -DCB_MUTEX=ticket": for kernels that do not say it; NULL: none */
    uint64_t wait_deadline_ns; /* 0: what suits the type of the device */
    /* Cases are opened only to have their kernels built, for which some drivers need a launch:
     * inputs are tiny, searches end after one workgroup, nothing is calibrated. */
    bool rehearsal;
};

/* Opens the device with this id. Before kernels run on it, cb_clock_open() measures its clock. */
enum cb_status cb_session_open(struct cb_session *session, const char *device_id,
                               const struct cb_session_options *options, struct cb_err *err);
void cb_session_close(struct cb_session *session);

/* Opens the device that spec names (cb_device_select(); the first of several), and measures its
 * clock. */
enum cb_status cb_session_open_named(struct cb_session *session, const char *spec,
                                     const struct cb_session_options *options, struct cb_err *err);

/* A second queue of the same context, with a launch record of its own: what runs there is not
 * waited for by what runs on the first. To be closed before the first. */
enum cb_status cb_session_open_second(struct cb_session *second, struct cb_session *first,
                                      struct cb_err *err);

/* What one file keeps with a session, for all cases that are run in it: a constant of that file. */
struct cb_kept_kind {
    size_t bytes;
    void (*release)(void *kept); /* what it holds; NULL: it holds nothing */
    bool by_neighbour; /* what was found depends on what is beside: another one for each */
};

/* The memory of this kind, zeroed at first. It is the session's, and a second queue has that of the
 * first; cb_session_close() releases and frees it. NULL with err set: there is no memory. */
void *cb_session_kept(struct cb_session *session, const struct cb_kept_kind *kind,
                      struct cb_err *err);

/* Builds the OpenCL C file (path as in cb_source_expand) for the session's back ends; the same
 * again costs nothing. defines: more compiler options ("-DCB_MUTEX=ticket"). A failed build's error
 * holds the compiler's log, with files and lines as they were written. CB_UNSUPPORTED: the device
 * has no compiler. */
enum cb_status cb_program_build(struct cb_session *session, const char *path, const char *defines,
                                cl_program *program, struct cb_err *err);

/* Builds a text that has been expanded; name: how messages call it. */
enum cb_status cb_program_build_text(struct cb_session *session, const char *name, const char *text,
                                     const char *defines, cl_program *program, struct cb_err *err);

/* Builds a program that is put together (source.h). */
struct cb_source_parts;
enum cb_status cb_program_build_parts(struct cb_session *session,
                                      const struct cb_source_parts *parts, const char *defines,
                                      cl_program *program, struct cb_err *err);

/* The path of a program that the session keeps, and what it was built with; of another "". */
const char *cb_program_options(const struct cb_session *session, cl_program program);

/* Releases the programs that the session keeps for the next request. */
void cb_programs_free(struct cb_session *session);

/* Runs a kernel once over `groups` workgroups of `wg_size` work-items and waits for it. The
 * other arguments must be set; argument 0 is the launch record. event_ns (may be NULL) is the time
 * from start to end of its profiling event. CB_TIMEOUT: a wait in the kernel passed its deadline;
 * err says which workgroup waited for what, record (may be NULL) holds it in figures. */
enum cb_status cb_launch_run(struct cb_session *session, cl_kernel kernel, size_t groups,
                             size_t wg_size, uint64_t *event_ns, cb_launch *record,
                             struct cb_err *err);

/* The hook of the session's launches; NULL: there is none. */
const struct cb_launch_hook *cb_launch_hook_of(const struct cb_session *session);

/* So many workgroups of so many work-items, in each dimension. */
struct cb_range {
    cl_uint dimensions; /* 1 to 3 */
    size_t groups[3], wg_size[3];
    size_t offset[3]; /* of global ids */
};

/* Exactly `groups` workgroups of `wg_size` work-items in so many dimensions, both as near to a
 * square or a cube as their divisors allow; x is the longest side. */
struct cb_range cb_range_of(cl_uint dimensions, size_t groups, size_t wg_size);
size_t cb_range_groups(const struct cb_range *range);

/* What a kernel needs with its arguments, as the driver tells; 0: it does not, or nothing. */
struct cb_kernel_needs {
    uint64_t local_bytes;   /* local memory of a workgroup */
    uint64_t private_bytes; /* private memory of a work-item */
};
struct cb_kernel_needs cb_kernel_needs(const struct cb_session *session, cl_kernel kernel);

/* CB_UNSUPPORTED: it needs more local memory than a CPU device has, and must not be launched. GPUs
 * are not asked before, but after they have refused a launch. */
enum cb_status cb_kernel_check_before(const struct cb_session *session, cl_kernel kernel,
                                      size_t wg_size, struct cb_err *err);

/* Says that a workgroup, "a workgroup of 64 work-items", needs more local memory than the most that
 * the device has, both in bytes, and of a megakernel, which its options tell, whose they are.
 * Returns CB_UNSUPPORTED. */
enum cb_status cb_fail_local(const char *who, uint64_t needed, uint64_t most, const char *options,
                             struct cb_err *err);

/* Puts a launch into a queue of the session's context: every launch goes through here. event: may
 * be NULL. CB_UNSUPPORTED: a workgroup needs more local memory, or has more work-items, than the
 * device can give it. */
enum cb_status cb_launch_enqueue(const struct cb_session *session, cl_command_queue queue,
                                 cl_kernel kernel, const struct cb_range *range, cl_event *event,
                                 struct cb_err *err);

/* cb_launch_run() in several dimensions; the kernel counts its workgroups as in native.clh. */
enum cb_status cb_launch_run_range(struct cb_session *session, cl_kernel kernel,
                                   const struct cb_range *range, uint64_t *event_ns,
                                   cb_launch *record, struct cb_err *err);

/* The two halves of cb_launch_run(), for kernels that the host talks to while they run. The end
 * waits, and releases the event. */
enum cb_status cb_launch_begin(struct cb_session *session, cl_kernel kernel, size_t groups,
                               size_t wg_size, cl_event *event, struct cb_err *err);
enum cb_status cb_launch_end(struct cb_session *session, cl_event event, size_t groups,
                             uint64_t *event_ns, cb_launch *record, struct cb_err *err);

/* From the start of the first kernel to the end of the last, by their profiling events, which have
 * ended. CB_ERROR: the driver's times make no sense. */
enum cb_status cb_event_span(cl_event first, cl_event last, uint64_t *ns, struct cb_err *err);

/* Waits until the queue has done all, at most so many seconds: for kernels that may never end.
 * CB_TIMEOUT: it has not, and the session is stuck. */
enum cb_status cb_session_finish(struct cb_session *session, double most_s, struct cb_err *err);

/* Something runs that nothing ends but the end of the process, which is of no use from now on. */
void cb_session_is_stuck(struct cb_session *session);

/* For kernels that the host launches step after step, with one wait for each: after a reset, which
 * waits for all that the queue has to do, any number of steps. A step also reads `bytes` of a
 * buffer after the kernel; when it returns, after a failure, too, nothing in the queue uses the
 * host's memory any more. */
enum cb_status cb_launch_reset(struct cb_session *session, cl_kernel kernel, struct cb_err *err);
enum cb_status cb_launch_step(struct cb_session *session, cl_kernel kernel, size_t groups,
                              size_t wg_size, cl_mem buffer, void *to, size_t bytes,
                              struct cb_err *err);

/* Another queue of the device, in order; NULL with err set if the driver gives none. */
cl_command_queue cb_queue_create(struct cb_session *session, cl_command_queue_properties properties,
                                 struct cb_err *err);

/* A buffer of `bytes`, which are zeros when it returns: any queue may use it at once. Waits for all
 * that the session's queue has to do. NULL with err set if there is no memory: how much is missing,
 * and who has it. */
cl_mem cb_buffer_create(struct cb_session *session, size_t bytes, struct cb_err *err);

/* n such buffers, if there is room for all, which is asked before the first is made. After a
 * failure the caller releases those that are there. CB_UNSUPPORTED: the device has less memory. */
enum cb_status cb_buffers_create(struct cb_session *session, const size_t *bytes, size_t n,
                                 cl_mem *buffers, struct cb_err *err);

/* One for who takes what there is; NULL: there is none. */
cl_mem cb_buffer_try(struct cb_session *session, size_t bytes);

/* Puts a clearing into the session's queue, and does not wait: ordered with what that queue does,
 * with no other. */
enum cb_status cb_buffer_clear(struct cb_session *session, cl_mem buffer, size_t bytes,
                               struct cb_err *err);

/* Copies in the session's queue, after all that was put there before, and waits. */
enum cb_status cb_buffer_write(struct cb_session *session, cl_mem buffer, const void *from,
                               size_t bytes, struct cb_err *err);
enum cb_status cb_buffer_read(struct cb_session *session, cl_mem buffer, void *to, size_t bytes,
                              struct cb_err *err);

/* The kernel called name of a program, which the caller releases; NULL after a failure. */
enum cb_status cb_kernel_create(cl_program program, const char *name, cl_kernel *kernel,
                                struct cb_err *err);

/* Sets the n arguments from index 1 on (argument 0 is the launch record). */
struct cb_kernel_value {
    size_t size;
    const void *value;
};
enum cb_status cb_kernel_args(cl_kernel kernel, const struct cb_kernel_value *values, size_t n,
                              struct cb_err *err);

/* Sets kernel argument `index`; convenience over clSetKernelArg with err. value NULL: local memory.
 */
enum cb_status cb_kernel_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value,
                             struct cb_err *err);

/* A kernel with its program and one buffer, of zeros, which is its argument 1. */
struct cb_buffered_kernel {
    cl_program program;
    cl_kernel kernel;
    cl_mem buffer;
};

/* Builds it (cb_program_build()) with a buffer of `bytes`. Close it after a failure, too. */
enum cb_status cb_buffered_kernel_open(struct cb_session *session, const char *path,
                                       const char *defines, const char *name, size_t bytes,
                                       struct cb_buffered_kernel *kernel, struct cb_err *err);
void cb_buffered_kernel_close(struct cb_buffered_kernel *kernel);
