/* SPDX-License-Identifier: Apache-2.0
 *
 * What `coopbench primitives` measures through OpenCL, with today's CUDA: the primitives of the
 * CUDA libraries beside plain CUDA versions of the classic ones (SO'11: Stuart, Owens, Efficient
 * Synchronization Primitives for GPUs, 2011). README.md beside this file says how to use it.
 *
 * CSV on stdout, progress and errors on stderr. Exit status: 0 fine, 1 a verification failed,
 * 2 a launch hung, 3 a CUDA call failed, 64 usage.
 */
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/semaphore>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace cg = cooperative_groups;

/* ---- what host and device share ---- */

constexpr unsigned kMaxWg = 256;
constexpr unsigned kMaxGroups = 2112;
constexpr std::size_t kLine = 256; /* words that are polled or contended share no cache line */
constexpr std::size_t kObject = 2 * kLine;

struct Span {
    unsigned long long start, end; /* ns of %globaltimer */
};

/* All device memory of a launch, zeroed before it. */
struct Arena {
    alignas(kLine) unsigned char object[kObject]; /* the primitive */
    alignas(kLine) unsigned arrived;            /* start barrier */
    alignas(kLine) unsigned counter;            /* what section 1 increments */
    alignas(kLine) unsigned inside;             /* check: workgroups that hold the semaphore */
    alignas(kLine) unsigned failures;           /* check */
    alignas(kLine) unsigned rounds[kMaxGroups]; /* check: barriers that each workgroup came to */
    alignas(kLine) Span spans[kMaxGroups];
};

struct Args {
    Arena *arena;
    unsigned ops;     /* of each workgroup */
    unsigned initial; /* what the primitive is constructed with */
};

using Kernel = void (*)(Args);

#define KERNEL __global__ void __launch_bounds__(kMaxWg)

/* ---- device: helpers ---- */

using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__device__ unsigned long long globaltimer()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    return t;
}

/* One thread of each workgroup: waits for the others, so that nobody begins while others have yet
 * to be scheduled; returns the time. */
__device__ unsigned long long start_together(Arena *arena)
{
    Word arrived(arena->arrived);
    arrived.fetch_add(1, cuda::memory_order_acq_rel);
    while (arrived.load(cuda::memory_order_acquire) < gridDim.x) {
    }
    return globaltimer();
}

__device__ void fail(Arena *arena)
{
    Word(arena->failures).fetch_add(1, cuda::memory_order_relaxed);
}

/* Primitives are made anew for each launch: none inherits the state of the launch before. */
template <class Object> __global__ void construct(Args args)
{
    static_assert(sizeof(Object) <= kObject, "the object outgrows its place");
    new (static_cast<void *>(args.arena->object)) Object(static_cast<std::ptrdiff_t>(args.initial));
}

/* ---- barriers: a view that each thread has, of an Object in device memory ---- */

struct Nothing {
    __device__ explicit Nothing(std::ptrdiff_t) {}
};

struct GridSync {
    static constexpr const char *name = "grid_sync";
    using Object = Nothing; /* the runtime keeps its word in memory of its own */
    cg::grid_group grid;
    __device__ explicit GridSync(void *) : grid(cg::this_grid()) {}
    __device__ void pass()
    {
        grid.sync();
    }
};

struct CudaBarrier {
    static constexpr const char *name = "cuda_barrier";
    using Object = cuda::barrier<cuda::thread_scope_device>; /* expected: number of workgroups */
    Object *barrier;
    __device__ explicit CudaBarrier(void *object) : barrier(static_cast<Object *>(object)) {}
    __device__ void pass()
    {
        __syncthreads();
        if (threadIdx.x == 0)
            barrier->arrive_and_wait();
        __syncthreads();
    }
};

/* The last thread of a workgroup says that it comes, the first looks whether the neighbour came: so
 * the check also sees a barrier that lets everybody pass but does not carry the data along. */
__device__ void announce_round(Arena *arena, unsigned round)
{
    if (threadIdx.x == blockDim.x - 1)
        *const_cast<volatile unsigned *>(&arena->rounds[blockIdx.x]) = round;
}

__device__ void check_neighbour(Arena *arena, unsigned round)
{
    const unsigned neighbour = (blockIdx.x + 1) % gridDim.x;
    if (threadIdx.x == 0 && *const_cast<volatile unsigned *>(&arena->rounds[neighbour]) < round)
        fail(arena);
}

template <class Barrier, bool kCheck> KERNEL run_barrier(Args args)
{
    Barrier barrier(args.arena->object);
    unsigned long long start = 0;
    if (threadIdx.x == 0)
        start = start_together(args.arena);
    for (unsigned round = 1; round <= args.ops; ++round) {
        if constexpr (kCheck)
            announce_round(args.arena, round);
        barrier.pass();
        if constexpr (kCheck)
            check_neighbour(args.arena, round);
    }
    if (threadIdx.x == 0)
        args.arena->spans[blockIdx.x] = Span{start, globaltimer()};
}

/* ---- mutexes: objects in device memory, used by one thread of each workgroup ---- */

struct Spin {
    static constexpr const char *name = "spin";
    unsigned taken;
    __device__ explicit Spin(std::ptrdiff_t) : taken(0) {}
    __device__ bool try_lock()
    {
        return Word(taken).exchange(1, cuda::memory_order_acquire) == 0;
    }
    __device__ unsigned lock()
    {
        while (!try_lock()) {
        }
        return 0;
    }
    __device__ void unlock(unsigned)
    {
        Word(taken).store(0, cuda::memory_order_release);
    }
};

struct SpinBackoff : Spin {
    static constexpr const char *name = "spin_backoff";
    static constexpr unsigned kMinNs = 64, kMaxNs = 1024;
    __device__ explicit SpinBackoff(std::ptrdiff_t initial) : Spin(initial) {}
    __device__ unsigned lock()
    {
        for (unsigned ns = kMinNs; !try_lock(); ns = ns < kMaxNs ? 2 * ns : kMaxNs)
            __nanosleep(ns);
        return 0;
    }
};

struct Ticket {
    static constexpr const char *name = "ticket";
    alignas(kLine) unsigned next; /* on lines of their own, as in coopbench's */
    alignas(kLine) unsigned serving;
    __device__ explicit Ticket(std::ptrdiff_t) : next(0), serving(0) {}
    __device__ unsigned lock()
    {
        const unsigned mine = Word(next).fetch_add(1, cuda::memory_order_relaxed);
        while (Word(serving).load(cuda::memory_order_acquire) != mine) {
        }
        return mine;
    }
    __device__ void unlock(unsigned mine)
    {
        Word(serving).store(mine + 1, cuda::memory_order_release);
    }
};

struct BinarySemaphore {
    static constexpr const char *name = "binary_semaphore";
    cuda::binary_semaphore<cuda::thread_scope_device> semaphore;
    __device__ explicit BinarySemaphore(std::ptrdiff_t initial) : semaphore(initial) {}
    __device__ unsigned lock()
    {
        semaphore.acquire();
        return 0;
    }
    __device__ void unlock(unsigned)
    {
        semaphore.release();
    }
};

/* Section 1 increments a plain counter: increments that overlap lose one, and the sum tells. */
template <class Mutex, bool kSection> KERNEL run_mutex(Args args)
{
    if (threadIdx.x != 0)
        return;
    Mutex &mutex = *reinterpret_cast<Mutex *>(args.arena->object);
    volatile unsigned *counter = &args.arena->counter;
    const unsigned long long start = start_together(args.arena);
    for (unsigned i = 0; i < args.ops; ++i) {
        const unsigned held = mutex.lock(); /* a ticket; nothing for the others */
        if constexpr (kSection)
            *counter = *counter + 1;
        mutex.unlock(held);
    }
    args.arena->spans[blockIdx.x] = Span{start, globaltimer()};
}

/* ---- semaphores: likewise ---- */

struct CountingSemaphore {
    static constexpr const char *name = "counting_semaphore";
    cuda::counting_semaphore<cuda::thread_scope_device> semaphore;
    __device__ explicit CountingSemaphore(std::ptrdiff_t initial) : semaphore(initial) {}
    __device__ void wait()
    {
        semaphore.acquire();
    }
    __device__ void post()
    {
        semaphore.release();
    }
};

/* Relaxed is enough: the semaphore itself orders who leaves before who comes in instead. */
__device__ void check_inside(Arena *arena, unsigned initial)
{
    Word inside(arena->inside);
    if (inside.fetch_add(1, cuda::memory_order_relaxed) >= initial)
        fail(arena);
    inside.fetch_sub(1, cuda::memory_order_relaxed);
}

template <class Semaphore, bool kCheck> KERNEL run_semaphore(Args args)
{
    if (threadIdx.x != 0)
        return;
    Semaphore &semaphore = *reinterpret_cast<Semaphore *>(args.arena->object);
    const unsigned long long start = start_together(args.arena);
    for (unsigned i = 0; i < args.ops; ++i) {
        semaphore.wait();
        if constexpr (kCheck)
            check_inside(args.arena, args.initial);
        semaphore.post();
    }
    args.arena->spans[blockIdx.x] = Span{start, globaltimer()};
}

/* ---- host: launches ---- */

constexpr int kExitVerification = 1, kExitHung = 2, kExitCuda = 3, kExitUsage = 64;
constexpr double kLaunchSeconds = 10; /* after that, a launch is taken for hung */
constexpr double kCaseSeconds = 1.5;  /* after that, a case makes no further timed launch ... */
constexpr unsigned kFewestRuns = 3;   /* ... once it has so many */
constexpr unsigned kWarmUps = 2;
constexpr unsigned kBarrierOps = 1000;

void check_cuda(cudaError_t error, const char *call, int line)
{
    if (error == cudaSuccess)
        return;
    std::fprintf(stderr, "cuda_twin: line %d: %s: %s\n", line, call, cudaGetErrorString(error));
    std::fflush(stdout);
    _exit(kExitCuda); /* the context may be unusable: no destructors, no atexit */
}
#define CHECK(call) check_cuda((call), #call, __LINE__)

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point then)
{
    return std::chrono::duration<double>(Clock::now() - then).count();
}

struct Case {
    const char *kind, *name;
    unsigned groups, wg;
    int section, initial; /* for the CSV; -1: does not apply */
    unsigned ops;         /* of each workgroup */
    unsigned construct_with;
    double operations; /* of a launch, as ops/s counts them */
    Kernel construct, timed;
    Kernel check; /* for an untimed launch before the others, or null */
};

std::string describe(const Case &c)
{
    std::string text = std::string(c.kind) + "." + c.name;
    if (c.section >= 0)
        text += " section=" + std::to_string(c.section);
    if (c.initial >= 0)
        text += " initial=" + std::to_string(c.initial);
    return text + " groups=" + std::to_string(c.groups) + " wg=" + std::to_string(c.wg);
}

/* The watchdog. The primitives wait without bound, and a kernel cannot be stopped from outside but
 * by ending its process; so nothing blocks on the device while a kernel may be running. */
void wait_or_exit(const Case &c)
{
    const auto start = Clock::now();
    cudaError_t state;
    while ((state = cudaStreamQuery(nullptr)) == cudaErrorNotReady) {
        if (seconds_since(start) > kLaunchSeconds) {
            std::fprintf(stderr, "cuda_twin: %s: no end after %g s, giving up\n",
                         describe(c).c_str(), kLaunchSeconds);
            std::fflush(stdout);
            _exit(kExitHung);
        }
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    check_cuda(state, describe(c).c_str(), __LINE__);
}

const void *address(Kernel kernel)
{
    return reinterpret_cast<const void *>(kernel);
}

/* How far a word lies from a multiprocessor is worth up to a third of an operation's time: each launch
 * uses another place, so that medians are over places, as coopbench's are. */
constexpr unsigned kPlaces = 64;

/* All kernels go through the cooperative launch: it refuses a grid that is not co-resident, which
 * would hang in the start barrier. */
void launch(const Case &c, Kernel kernel, Arena *places, Arena &result)
{
    static unsigned turn = 0;
    Arena *device = places + 17 * turn++ % kPlaces;
    Args args{device, c.ops, c.construct_with};
    void *parameters[] = {&args};
    CHECK(cudaMemset(device, 0, sizeof *device));
    CHECK(cudaLaunchKernel(address(c.construct), dim3(1), dim3(1), parameters, std::size_t{0},
                           nullptr));
    CHECK(cudaLaunchCooperativeKernel(address(kernel), dim3(c.groups), dim3(c.wg), parameters,
                                      std::size_t{0}, nullptr));
    wait_or_exit(c);
    CHECK(cudaMemcpy(&result, device, sizeof result, cudaMemcpyDeviceToHost));
}

bool resident(Kernel kernel, const Case &c)
{
    int device = 0, multiprocessors = 0, groups_each = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&groups_each, address(kernel),
                                                        static_cast<int>(c.wg), std::size_t{0}));
    return static_cast<unsigned>(multiprocessors) * static_cast<unsigned>(groups_each) >= c.groups;
}

bool verified(const Case &c, const Arena &result)
{
    const unsigned wanted = c.section == 1 ? c.groups * c.ops : 0;
    if (result.failures == 0 && result.counter == wanted)
        return true;
    std::fprintf(stderr, "cuda_twin: %s: WRONG: %u failures, counter %u instead of %u\n",
                 describe(c).c_str(), result.failures, result.counter, wanted);
    return false;
}

/* From the first start to the last end, by the device's clock. */
double device_seconds(const Case &c, const Arena &result)
{
    unsigned long long first = result.spans[0].start, last = result.spans[0].end;
    for (unsigned group = 1; group < c.groups; ++group) {
        first = std::min(first, result.spans[group].start);
        last = std::max(last, result.spans[group].end);
    }
    return last > first ? static_cast<double>(last - first) * 1e-9 : 0;
}

/* ---- host: measuring ---- */

struct Options {
    std::string kind; /* empty: all */
    unsigned wg = 0;  /* 0: all */
    unsigned runs = 0;
    bool quick = false;
};

struct Bench {
    Options options;
    Arena *device = nullptr;
    bool failed = false;
};

double median(const std::vector<double> &sorted)
{
    const std::size_t n = sorted.size();
    return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

void print_row(const Case &c, std::vector<double> rates)
{
    const std::string section = c.section < 0 ? "" : std::to_string(c.section);
    const std::string initial = c.initial < 0 ? "" : std::to_string(c.initial);
    std::sort(rates.begin(), rates.end());
    std::printf("%s,%s,%u,%u,%s,%s,%u,%zu,%.6g,%.6g,%.6g\n", c.kind, c.name, c.groups, c.wg,
                section.c_str(), initial.c_str(), c.ops, rates.size(), median(rates), rates.front(),
                rates.back());
    std::fflush(stdout);
    std::fprintf(stderr, "%s: %.4g ops/s\n", describe(c).c_str(), median(rates));
}

/* False as soon as a launch is wrong. */
bool measure(const Bench &bench, const Case &c, std::vector<double> &rates)
{
    Arena result;
    if (c.check) {
        launch(c, c.check, bench.device, result);
        if (!verified(c, result))
            return false;
    }
    const auto start = Clock::now();
    for (unsigned i = 0; i < kWarmUps + bench.options.runs; ++i) {
        if (rates.size() >= kFewestRuns && seconds_since(start) > kCaseSeconds)
            break;
        launch(c, c.timed, bench.device, result);
        const double seconds = device_seconds(c, result);
        if (!verified(c, result))
            return false;
        if (seconds <= 0) {
            std::fprintf(stderr, "cuda_twin: %s: WRONG: no time passed\n", describe(c).c_str());
            return false;
        }
        if (i >= kWarmUps)
            rates.push_back(c.operations / seconds);
    }
    return true;
}

void run_case(Bench &bench, const Case &c)
{
    if (!resident(c.timed, c) || (c.check && !resident(c.check, c))) {
        std::fprintf(stderr, "%s: left out, not co-resident here\n", describe(c).c_str());
        return;
    }
    std::vector<double> rates;
    if (measure(bench, c, rates))
        print_row(c, rates);
    else
        bench.failed = true;
}

/* ---- host: the cases ---- */

unsigned ops_each(unsigned groups)
{
    return std::clamp(65536u / groups, 20u, 1000u);
}

template <class Barrier> void barrier_case(Bench &bench, unsigned groups, unsigned wg)
{
    Case c{};
    c.kind = "barrier", c.name = Barrier::name, c.groups = groups, c.wg = wg;
    c.section = c.initial = -1;
    c.ops = kBarrierOps, c.construct_with = groups, c.operations = kBarrierOps;
    c.construct = construct<typename Barrier::Object>;
    c.timed = run_barrier<Barrier, false>, c.check = run_barrier<Barrier, true>;
    run_case(bench, c);
}

template <class Mutex> void mutex_case(Bench &bench, unsigned groups, unsigned wg, int section)
{
    Case c{};
    c.kind = "mutex", c.name = Mutex::name, c.groups = groups, c.wg = wg;
    c.section = section, c.initial = -1;
    c.ops = ops_each(groups), c.construct_with = 1; /* a semaphore as a mutex starts at 1 */
    c.operations = static_cast<double>(groups) * c.ops;
    c.construct = construct<Mutex>;
    c.timed = run_mutex<Mutex, false>;
    if (section == 1) /* its counter is check enough */
        c.timed = run_mutex<Mutex, true>;
    run_case(bench, c);
}

template <class Semaphore>
void semaphore_case(Bench &bench, unsigned groups, unsigned wg, unsigned initial)
{
    Case c{};
    c.kind = "semaphore", c.name = Semaphore::name, c.groups = groups, c.wg = wg;
    c.section = 0, c.initial = static_cast<int>(initial);
    c.ops = ops_each(groups), c.construct_with = initial;
    c.operations = static_cast<double>(groups) * c.ops;
    c.construct = construct<Semaphore>;
    c.timed = run_semaphore<Semaphore, false>, c.check = run_semaphore<Semaphore, true>;
    run_case(bench, c);
}

/* Numbers of workgroups: 132 is one for each multiprocessor of an H200, 2112 fills it. */
std::vector<unsigned> groups_of(const Bench &bench, std::vector<unsigned> few, unsigned wg)
{
    std::vector<unsigned> groups = few;
    groups.insert(groups.end(), {33, 132, 264, 528, 1056});
    if (wg == 128)
        groups.push_back(kMaxGroups);
    if (bench.options.quick)
        return {groups.front(), 132, groups.back()};
    return groups;
}

void barriers(Bench &bench, unsigned wg)
{
    for (unsigned groups : groups_of(bench, {2}, wg)) {
        barrier_case<GridSync>(bench, groups, wg);
        barrier_case<CudaBarrier>(bench, groups, wg);
    }
}

void mutexes(Bench &bench, unsigned wg)
{
    for (int section : {0, 1})
        for (unsigned groups : groups_of(bench, {1, 2}, wg)) {
            mutex_case<Spin>(bench, groups, wg, section);
            mutex_case<SpinBackoff>(bench, groups, wg, section);
            mutex_case<Ticket>(bench, groups, wg, section);
            mutex_case<BinarySemaphore>(bench, groups, wg, section);
        }
}

void semaphores(Bench &bench, unsigned wg)
{
    for (unsigned initial : {1u, 2u, 10u, 120u})
        for (unsigned groups : groups_of(bench, {1, 8}, wg))
            semaphore_case<CountingSemaphore>(bench, groups, wg, initial);
}

void run_all(Bench &bench)
{
    const std::string &kind = bench.options.kind;
    for (unsigned wg : {256u, 128u}) {
        if (bench.options.wg != 0 && bench.options.wg != wg)
            continue;
        if (kind.empty() || kind == "barrier")
            barriers(bench, wg);
        if (kind.empty() || kind == "mutex")
            mutexes(bench, wg);
        if (kind.empty() || kind == "semaphore")
            semaphores(bench, wg);
    }
}

/* ---- host: command line ---- */

const char kUsage[] = "usage: cuda_twin [--kind barrier|mutex|semaphore] [--wg 128|256] [--runs N] "
                      "[--quick]\n"
                      "  --runs N   timed launches of a case (11; with --quick 3)\n"
                      "  --quick    three numbers of workgroups instead of all\n";

[[noreturn]] void usage_error(const std::string &what)
{
    std::fprintf(stderr, "cuda_twin: %s\n%s", what.c_str(), kUsage);
    std::exit(kExitUsage);
}

unsigned parse_number(const std::string &option, const char *text)
{
    char *end = nullptr;
    const long value = std::strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 1 || value > 100000)
        usage_error(option + ": not a number from 1 to 100000: " + text);
    return static_cast<unsigned>(value);
}

void parse_value(Options &options, const std::string &option, const char *text)
{
    const std::string value = text;
    if (option == "--kind" && (value == "barrier" || value == "mutex" || value == "semaphore"))
        options.kind = value;
    else if (option == "--wg" && (value == "128" || value == "256"))
        options.wg = parse_number(option, text);
    else if (option == "--runs")
        options.runs = parse_number(option, text);
    else
        usage_error("unknown: " + option + " " + value);
}

Options parse(int argc, char **argv)
{
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        if (option == "--help") {
            std::fputs(kUsage, stdout);
            std::exit(0);
        }
        if (option == "--quick")
            options.quick = true;
        else if (i + 1 < argc)
            parse_value(options, option, argv[++i]);
        else
            usage_error("unknown, or without its value: " + option);
    }
    if (options.runs == 0)
        options.runs = options.quick ? 3 : 11;
    return options;
}

void require_device()
{
    int cooperative = 0, runtime = 0;
    cudaDeviceProp properties;
    CHECK(cudaSetDevice(0));
    CHECK(cudaGetDeviceProperties(&properties, 0));
    CHECK(cudaRuntimeGetVersion(&runtime));
    CHECK(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
    std::fprintf(stderr, "cuda_twin: %s, CUDA %d.%d\n", properties.name, runtime / 1000,
                 runtime % 1000 / 10);
    if (!cooperative) {
        std::fprintf(stderr, "cuda_twin: this device has no cooperative launch\n");
        std::exit(kExitCuda);
    }
}

int main(int argc, char **argv)
{
    const auto start = Clock::now();
    Bench bench;
    bench.options = parse(argc, argv);
    require_device();
    CHECK(cudaMalloc(&bench.device, kPlaces * sizeof *bench.device));
    std::puts("kind,name,groups,wg,section,initial,ops,n,median_ops_per_s,min,max");
    run_all(bench);
    CHECK(cudaFree(bench.device));
    std::fprintf(stderr, "cuda_twin: %.1f s%s\n", seconds_since(start),
                 bench.failed ? ", WRONG RESULTS (above)" : "");
    return bench.failed ? kExitVerification : 0;
}
