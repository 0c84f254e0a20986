/* SPDX-License-Identifier: Apache-2.0
 *
 * Two kernels whose blocks wait for each other, one block for each multiprocessor, which run again
 * and again until the host says stop: a level-synchronous BFS with a barrier after each level, and
 * a search of an uneven tree with a deque for each block, from which others steal. Every wait ends
 * after kWaitNs, or once another has failed.
 */
#pragma once
#include <cuda/atomic>

namespace green
{

constexpr unsigned kMostBlocks = 512, kMostRuns = 16384, kUnreached = ~0u;
constexpr unsigned kBfsThreads = 256, kTreeThreads = 128;
constexpr unsigned kRounds = 64, kMostDepth = 64; /* of a node's work; of the tree */
constexpr unsigned kRoom = 4096;                  /* nodes of a deque */
constexpr unsigned long long kWaitNs = 2000000000ull;

enum Failure : unsigned { kFine, kLate, kFull };

using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
using HostWord = cuda::atomic_ref<unsigned, cuda::thread_scope_system>;

/* In memory of the host's that both see. */
struct Talk {
    unsigned stop;    /* the host's */
    unsigned started; /* all blocks are there */
    unsigned runs;    /* that have ended */
};

/* Of a launch, zero before it. */
struct Control {
    unsigned arrived, generation; /* the barrier's */
    unsigned failure;             /* an enum Failure */
    unsigned on[2];               /* whether there is a run of an even number, or an odd one */
    unsigned sms[kMostBlocks];    /* where each block is, and one more */
    unsigned digests[kMostRuns];
    unsigned long long starts[kMostRuns]; /* ns of %globaltimer */
};

struct Launch {
    Control *control;
    Talk *talk;
    unsigned most_runs;
    unsigned long long most_ns; /* then it stops by itself */
};

struct Node {
    unsigned seed, depth;
};

struct Deque {
    unsigned lock, head, tail; /* thieves take at the head */
    Node nodes[kRoom];
};

/* What a block has in shared memory. */
struct Local {
    unsigned go, sum;
    enum { kNothing, kNode, kOver } found;
    Node node;
};

/* ---- What host and device compute alike ------------------------------------------------------ */

__host__ __device__ inline unsigned mix(unsigned x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

__host__ __device__ inline unsigned digest_of(unsigned vertex, unsigned level)
{
    return mix(vertex) * (level + 1);
}

__host__ __device__ inline Node root_of(unsigned i)
{
    return {mix(i + 1), 0};
}

/* One thread's part of a node's work. */
__host__ __device__ inline unsigned work_of(Node node, unsigned thread)
{
    unsigned x = node.seed + thread * 0x9e3779b9u;
    for (unsigned i = 0; i < kRounds; ++i)
        x = mix(x + i);
    return x;
}

/* Nearly one on average: some nodes have large trees below them. */
__host__ __device__ inline unsigned children_of(Node node)
{
    return node.depth < kMostDepth && mix(node.seed ^ 0x5bd1e995u) % 1000 < 490 ? 2 : 0;
}

__host__ __device__ inline Node child_of(Node node, unsigned i)
{
    return {mix(node.seed * 2 + i + 1), node.depth + 1};
}

/* ---- Waiting --------------------------------------------------------------------------------- */

__device__ inline unsigned long long now_ns()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    return t;
}

__device__ inline unsigned sm_of_this()
{
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
}

__device__ inline bool has_failed(Control *c)
{
    return Word(c->failure).load(cuda::memory_order_relaxed) != kFine;
}

__device__ inline void fail(Control *c, Failure failure)
{
    Word(c->failure).store(failure, cuda::memory_order_relaxed);
}

/* For one thread of a block. False: somebody has failed, or this wait took too long. */
template <typename Condition> __device__ bool wait_until(Control *c, Condition condition)
{
    const unsigned long long end = now_ns() + kWaitNs;
    while (!condition()) {
        if (now_ns() > end)
            fail(c, kLate);
        if (has_failed(c))
            return false;
    }
    return true;
}

/* The barrier of all blocks. False, to all threads of a block: leave. */
__device__ inline bool meet(Control *c, Local &l)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        Word arrived(c->arrived), generation(c->generation);
        const unsigned before = generation.load(cuda::memory_order_relaxed);
        if (arrived.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1) {
            arrived.store(0, cuda::memory_order_relaxed);
            generation.store(before + 1, cuda::memory_order_release);
            l.go = !has_failed(c);
        } else {
            l.go = wait_until(
                c, [&] { return generation.load(cuda::memory_order_acquire) != before; });
        }
    }
    __syncthreads();
    return l.go != 0;
}

/* ---- Again and again ------------------------------------------------------------------------- */

/* By one thread of all: whether there is another run. */
__device__ inline void begin_run(const Launch &a, unsigned run, unsigned long long begun)
{
    const unsigned long long now = now_ns();
    HostWord(a.talk->runs).store(run, cuda::memory_order_relaxed);
    a.control->on[run % 2] = run < a.most_runs && run < kMostRuns && now - begun < a.most_ns &&
                             HostWord(a.talk->stop).load(cuda::memory_order_relaxed) == 0;
    if (run < kMostRuns)
        a.control->starts[run] = now;
}

template <typename App> __device__ void repeat(const App &app, const Launch &a, Local &l)
{
    const bool is_first = blockIdx.x == 0 && threadIdx.x == 0;
    const unsigned long long begun = now_ns();
    if (threadIdx.x == 0)
        a.control->sms[blockIdx.x] = sm_of_this() + 1;
    for (unsigned run = 0;; ++run) {
        if (is_first)
            begin_run(a, run, begun);
        if (!meet(a.control, l) || !a.control->on[run % 2])
            return;
        if (is_first && run == 0)
            HostWord(a.talk->started).store(1, cuda::memory_order_release);
        app.clear();
        if (!meet(a.control, l) || !app.solve(a.control, l, &a.control->digests[run]))
            return;
    }
}

/* ---- BFS ------------------------------------------------------------------------------------- */

struct Bfs {
    const unsigned *rows, *ends; /* edges of v: rows[v] up to rows[v + 1] */
    unsigned *levels, *queues;   /* two of `vertices` words */
    unsigned *sizes;             /* of three frontiers */
    unsigned vertices, source;

    __device__ static unsigned first()
    {
        return blockIdx.x * blockDim.x + threadIdx.x;
    }

    __device__ static unsigned step()
    {
        return gridDim.x * blockDim.x;
    }

    __device__ void clear() const
    {
        for (unsigned v = first(); v < vertices; v += step())
            levels[v] = v == source ? 0 : kUnreached;
        if (first() == 0) {
            queues[0] = source;
            sizes[0] = 1;
            sizes[1] = 0;
        }
    }

    __device__ void expand(unsigned v, unsigned level) const
    {
        for (unsigned e = rows[v]; e < rows[v + 1]; ++e) {
            const unsigned end = ends[e];
            unsigned expected = kUnreached;
            Word reached(levels[end]);
            if (reached.load(cuda::memory_order_relaxed) == kUnreached &&
                reached.compare_exchange_strong(expected, level + 1, cuda::memory_order_relaxed))
                queues[(level + 1) % 2 * vertices +
                       Word(sizes[(level + 1) % 3]).fetch_add(1, cuda::memory_order_relaxed)] = end;
        }
    }

    __device__ bool solve(Control *c, Local &l, unsigned *digest) const
    {
        for (unsigned level = 0, size = 1; size > 0 && level < vertices; ++level) {
            if (first() == 0)
                sizes[(level + 2) % 3] = 0; /* which nobody reads or adds to meanwhile */
            for (unsigned i = first(); i < size; i += step())
                expand(queues[level % 2 * vertices + i], level);
            if (!meet(c, l))
                return false;
            size = Word(sizes[(level + 1) % 3]).load(cuda::memory_order_relaxed);
        }
        unsigned sum = 0;
        for (unsigned v = first(); v < vertices; v += step())
            sum += digest_of(v, levels[v]);
        Word(*digest).fetch_add(sum, cuda::memory_order_relaxed);
        return true;
    }
};

/* ---- The tree -------------------------------------------------------------------------------- */

struct Tree {
    Deque *deques;     /* of each block */
    unsigned *pending; /* nodes that have not been done */
    unsigned roots;

    __device__ static unsigned size_of(Deque &d)
    {
        return Word(d.tail).load(cuda::memory_order_relaxed) -
               Word(d.head).load(cuda::memory_order_relaxed);
    }

    /* Others look without the lock. */
    __device__ static void set(unsigned &end, unsigned to)
    {
        Word(end).store(to, cuda::memory_order_relaxed);
    }

    __device__ static bool try_lock(Deque &d)
    {
        unsigned open = 0;
        return Word(d.lock).compare_exchange_strong(open, 1, cuda::memory_order_acquire);
    }

    __device__ static void unlock(Deque &d)
    {
        Word(d.lock).store(0, cuda::memory_order_release);
    }

    /* Each block has its part of the roots. */
    __device__ void clear() const
    {
        Deque &own = deques[blockIdx.x];
        if (threadIdx.x != 0)
            return;
        if (blockIdx.x == 0)
            *pending = roots;
        own.lock = own.head = own.tail = 0;
        for (unsigned i = blockIdx.x; i < roots && own.tail < kRoom; i += gridDim.x)
            own.nodes[own.tail++] = root_of(i);
    }

    __device__ bool pop(Control *c, Node &node) const
    {
        Deque &own = deques[blockIdx.x];
        if (size_of(own) == 0 || !wait_until(c, [&] { return try_lock(own); }))
            return false;
        const bool found = own.tail != own.head;
        if (found) {
            node = own.nodes[(own.tail - 1) % kRoom];
            set(own.tail, own.tail - 1);
        }
        unlock(own);
        return found;
    }

    __device__ bool steal(unsigned victim, Node &node) const
    {
        Deque &d = deques[victim];
        if (size_of(d) == 0 || !try_lock(d))
            return false;
        const bool found = d.tail != d.head;
        if (found) {
            node = d.nodes[d.head % kRoom];
            set(d.head, d.head + 1);
        }
        unlock(d);
        return found;
    }

    __device__ void push_children(Control *c, Node node) const
    {
        Deque &own = deques[blockIdx.x];
        const unsigned n = children_of(node);
        Word(*pending).fetch_add(n - 1, cuda::memory_order_relaxed); /* before anyone can do them */
        if (n == 0 || !wait_until(c, [&] { return try_lock(own); }))
            return;
        if (own.tail - own.head + n > kRoom)
            fail(c, kFull);
        for (unsigned i = 0; i < n && !has_failed(c); ++i) {
            own.nodes[own.tail % kRoom] = child_of(node, i);
            set(own.tail, own.tail + 1);
        }
        unlock(own);
    }

    /* By one thread of a block: its own last node, or another's first, or there is none left. */
    __device__ void find(Control *c, Local &l) const
    {
        unsigned victim = blockIdx.x;
        l.found = Local::kNothing;
        const bool on = wait_until(c, [&] {
            victim = victim + 1 == gridDim.x ? 0 : victim + 1;
            if (pop(c, l.node) || (victim != blockIdx.x && steal(victim, l.node)))
                l.found = Local::kNode;
            else if (Word(*pending).load(cuda::memory_order_relaxed) == 0)
                l.found = Local::kOver;
            return l.found != Local::kNothing;
        });
        if (!on)
            l.found = Local::kOver;
        l.sum = 0;
    }

    __device__ bool solve(Control *c, Local &l, unsigned *digest) const
    {
        unsigned total = 0;
        for (;;) {
            if (threadIdx.x == 0)
                find(c, l);
            __syncthreads();
            if (l.found == Local::kOver)
                break;
            cuda::atomic_ref<unsigned, cuda::thread_scope_block>(l.sum).fetch_add(
                work_of(l.node, threadIdx.x), cuda::memory_order_relaxed);
            __syncthreads();
            if (threadIdx.x == 0) {
                total += l.sum;
                push_children(c, l.node);
            }
        }
        if (threadIdx.x == 0)
            Word(*digest).fetch_add(total, cuda::memory_order_relaxed);
        return !has_failed(c);
    }
};

} // namespace green
