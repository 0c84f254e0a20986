/* SPDX-License-Identifier: Apache-2.0
 *
 * Which call a fault strikes, what it does to the process, and the clock. Calls are counted in a
 * file that all processes of a run share.
 *
 *     FAULT=NAME:NTH   the fault, and its call: the first is 1. Empty: none, calls are counted.
 *     FAULT_STATE=FILE the counts; faults.py reads them. Without it, nothing happens at all.
 *     FAULT_HIDES=svm  devices have no shared virtual memory, with and without a fault.
 */
#include "tests/faults/faults.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define MEGABYTE 1000000u

/* The layout is faults.py's, too. */
struct state {
    _Atomic uint64_t struck; /* calls that a fault has met */
    _Atomic uint64_t calls[N_FUNCTIONS];
    _Atomic int64_t hurried_ns; /* by which the clocks are ahead */
    _Atomic int64_t since_ns;   /* and run ahead; 0: they do not */
    _Atomic int64_t process;    /* while this one lives */
};

extern const struct fault faults[];

static struct state nobodys, *state = &nobodys;
static const struct fault *chosen;
static uint64_t nth = 1;
static uintptr_t program_begin, program_end;

#define FUNCTION_NAME(name) #name,
static const char *const function_names[] = {FUNCTIONS(FUNCTION_NAME)};

/* ---- For faults.py --------------------------------------------------------------------------- */

int fault_count(void)
{
    int n = 0;
    while (faults[n].name)
        n++;
    return n;
}

const char *fault_name(int i)
{
    return faults[i].name;
}

const char *fault_function(int i)
{
    return function_names[faults[i].function];
}

const char *fault_words(int i)
{
    return faults[i].words;
}

int fault_function_count(void)
{
    return N_FUNCTIONS;
}

const char *fault_function_name(int i)
{
    return function_names[i];
}

/* ---- The schedule ---------------------------------------------------------------------------- */

static void open_state(const char *path)
{
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, sizeof *state) != 0) {
        perror(path);
        _exit(99);
    }
    void *place = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (place != MAP_FAILED)
        state = place;
}

static void choose(const char *text)
{
    size_t length = strcspn(text, ":");
    if (text[length])
        nth = strtoull(text + length + 1, NULL, 10);
    for (const struct fault *f = faults; f->name; f++)
        if (strncmp(f->name, text, length) == 0 && f->name[length] == '\0')
            chosen = f;
    if (!chosen) {
        fprintf(stderr, "FAULT: there is no %s\n", text);
        _exit(99);
    }
}

/* The program's own code: the first object that is visited. */
static int note_program(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
            program_begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            program_end = program_begin + info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("FAULT_STATE"), *fault = getenv("FAULT");
    if (!path)
        return;
    open_state(path);
    dl_iterate_phdr(note_program, NULL);
    if (fault && *fault)
        choose(fault);
}

const struct fault *fault_strikes(enum function function)
{
    uint64_t of_any = function == F_clock_gettime ? 0 : ++state->calls[F_any];
    uint64_t call = ++state->calls[function];
    if (!chosen || (chosen->function != function && (chosen->function != F_any || of_any == 0)))
        return NULL;
    if (chosen->function == F_any)
        call = of_any;
    if (call < nth || (call > nth && !chosen->lasting))
        return NULL;
    state->struck++;
    return chosen;
}

bool fault_hides_svm(void)
{
    const char *hidden = getenv("FAULT_HIDES");
    return hidden && strcmp(hidden, "svm") == 0;
}

/* ---- What a fault does to its process -------------------------------------------------------- */

static void hang(void)
{
    fault_hurry();
    for (;;)
        pause();
}

static void spin(void)
{
    fault_hurry();
    for (volatile unsigned i = 0;; i++)
        ;
}

static void be_slow(int seconds)
{
    struct timespec pause = {seconds / FAST, seconds % FAST * (1000000000 / FAST)};
    fault_hurry();
    nanosleep(&pause, NULL);
    fault_hurry_no_more();
}

static void print(void)
{
    printf("driver: hello\n{\"status\": \"ok\", \"devices\": []}\n\033[31m\xff\n");
    fflush(stdout);
    fprintf(stderr, "driver: warning\n");
}

static void flood(void)
{
    static char text[MEGABYTE];
    memset(text, 'x', sizeof text);
    for (int i = 0; i < 8; i++)
        if (write(STDOUT_FILENO, text, sizeof text) < 0)
            return;
}

static void hog(int megabytes)
{
    size_t size = (size_t)megabytes * MEGABYTE;
    char *place = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place != MAP_FAILED)
        memset(place, 1, size);
}

static void take_all_memory(void)
{
    struct rlimit limit = {MEGABYTE, MEGABYTE}; /* less than it has: it gets no more */
    setrlimit(RLIMIT_AS, &limit);
}

static void crash(void)
{
    static volatile char *volatile nowhere;
    signal(SIGSEGV, SIG_DFL);
    *nowhere = 1;
}

bool fault_act(const struct fault *f, cl_int *code)
{
    *code = f->action == FAIL ? f->code : CL_SUCCESS;
    switch (f->action) {
    case FAIL:
    case NOTHING:
        return true;
    case SEGV:
        crash();
        break;
    case ABORT:
        fprintf(stderr, "driver: internal error\n");
        abort();
    case EXIT:
        exit(f->code);
    case HANG_DEAF:
        signal(SIGTERM, SIG_IGN);
        hang();
        break;
    case HANG:
        hang();
        break;
    case SPIN:
        spin();
        break;
    case SLOW:
        be_slow(f->code);
        break;
    case PRINT:
        print();
        break;
    case FLOOD:
        flood();
        break;
    case HOG:
        hog(f->code);
        break;
    case NO_MEMORY:
        take_all_memory();
        break;
    case CLOSE_FILES:
        for (int file = STDERR_FILENO + 1; file < 64; file++)
            close(file);
        break;
    case CHANGE_DIRECTORY:
        if (chdir("/") != 0)
            abort();
        break;
    case RAISE:
        if (f->code == SIGSTOP)
            fault_hurry();
        raise(f->code);
        break;
    default:
        break;
    }
    return false;
}

/* ---- The clock ------------------------------------------------------------------------------- */

static int64_t real_ns(clockid_t clock)
{
    static int (*real)(clockid_t, struct timespec *);
    struct timespec t;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    real(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void fault_hurry(void)
{
    state->process = getpid();
    state->since_ns = real_ns(CLOCK_MONOTONIC);
}

void fault_hurry_no_more(void)
{
    int64_t since = atomic_exchange(&state->since_ns, 0);
    if (since)
        state->hurried_ns += (real_ns(CLOCK_MONOTONIC) - since) * FAST;
}

/* By which the clocks are ahead of the real ones. */
static int64_t ahead_ns(void)
{
    int64_t since = state->since_ns;
    if (!since)
        return state->hurried_ns;
    if (kill((pid_t)state->process, 0) != 0) {
        fault_hurry_no_more();
        return state->hurried_ns;
    }
    return state->hurried_ns + (real_ns(CLOCK_MONOTONIC) - since) * FAST;
}

static int64_t jump_ns(clockid_t clock, const void *caller)
{
    bool ours = (uintptr_t)caller >= program_begin && (uintptr_t)caller < program_end;
    const struct fault *f = ours ? fault_strikes(F_clock_gettime) : NULL;
    bool monotonic = clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE;
    if (!f || f->action != (monotonic ? JUMP_MONOTONIC : JUMP_REALTIME))
        return 0;
    return f->code * INT64_C(1000000000);
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    int64_t now = real_ns(clock) + jump_ns(clock, __builtin_return_address(0)) + ahead_ns();
    *t = (struct timespec){now / 1000000000, now % 1000000000};
    return 0;
}

time_t time(time_t *t)
{
    int64_t now = real_ns(CLOCK_REALTIME) + jump_ns(CLOCK_REALTIME, __builtin_return_address(0));
    if (t)
        *t = now / 1000000000;
    return now / 1000000000;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted,
                    struct timespec *left)
{
    static int (*real)(clockid_t, int, const struct timespec *, struct timespec *);
    struct timespec t = *wanted;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "clock_nanosleep");
    if (flags & TIMER_ABSTIME) {
        int64_t then = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec - ahead_ns();
        then = then > 0 ? then : 0;
        t = (struct timespec){then / 1000000000, then % 1000000000};
    }
    return real(clock, flags, &t, left);
}
