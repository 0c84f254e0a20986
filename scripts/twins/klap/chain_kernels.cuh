/* SPDX-License-Identifier: Apache-2.0
 *
 * The executions of a program that launches itself (chain.clh) in CUDA, after its text:
 *
 *   chain_one     one step: a launch each, by the host or in a graph
 *   chain_tail    one step, which launches the next as its tail: begun when it has ended
 *   chain_nested  one step, which launches the next before anything else (P, PO): that one waits
 *                 for its flag
 *   chain_pool    all steps in one launch (PA, PAO): each block takes the next
 *   chain_loop    one block does all steps
 *
 * A launch by the device that fails ends the recursion, and the host goes on from there.
 */
#pragma once
#include <cuda/atomic>

/* A wait that takes so long is given up, and with it all others. */
constexpr long long kWaitCycles = 2000000000;
constexpr unsigned kPollsPerLook = 256;

struct Control {
    unsigned stopped; /* the step that could not be launched; 0: none */
    unsigned error;   /* why */
    unsigned late;    /* a wait was given up */
};

struct Chain {
    chain_input in;
    unsigned *links;
    Control *control;
};

struct Shared {
    unsigned room[2 * CHAIN_WG], stage[CHAIN_STAGE], step;
    uint2 before, after;
};

using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

/* ---- The chain: by thread 0 ------------------------------------------------------------------ */

__device__ inline bool is_late(const Chain &c, long long start)
{
    Flag late(c.control->late);
    if (clock64() - start > kWaitCycles)
        late.store(1, cuda::memory_order_relaxed);
    return late.load(cuda::memory_order_relaxed) != 0;
}

__device__ inline void acquire(const Chain &c, unsigned step, unsigned word)
{
    Flag flag(c.links[chain_at(step, word)]);
    const long long start = clock64();
    for (unsigned polls = 1; flag.load(cuda::memory_order_acquire) == 0; ++polls)
        if (polls % kPollsPerLook == 0 && is_late(c, start))
            return;
}

__device__ inline void release(const Chain &c, unsigned step, unsigned word)
{
    Flag(c.links[chain_at(step + 1, word)]).store(CHAIN_GO, cuda::memory_order_release);
}

/* Between launches one after the other, and before or after a flag: plain accesses are enough. */
__device__ inline uint2 read_data(const Chain &c, unsigned step)
{
    return make_uint2(c.links[chain_at(step, CHAIN_DATA + 1)], c.links[chain_at(step, CHAIN_DATA + 2)]);
}

__device__ inline void write_data(const Chain &c, unsigned step, uint2 value)
{
    c.links[chain_at(step + 1, CHAIN_DATA + 1)] = value.x;
    c.links[chain_at(step + 1, CHAIN_DATA + 2)] = value.y;
}

/* ---- A step ---------------------------------------------------------------------------------- */

/* take: the data of the step before; give: passes on this one's. Both by thread 0. */
template <class Take, class Give>
__device__ inline void do_step(const Chain &c, Shared &s, unsigned step, Take take, Give give)
{
    chain_place p = {step, threadIdx.x};
    unsigned tile[CHAIN_EACH + 1];
    const unsigned value = chain_ahead(c.in, p, tile);
    chain_join_all(c.in, &p, value, s.room);
    chain_arrange(c.in, p, tile, s.stage);
    if (p.item == 0) {
        CHAIN_MAKE_READY(c.in, p);
        s.before = p.before = take();
        s.after = p.after = chain_pass(c.in, p);
        give(s.after);
    }
    __syncthreads();
    p.before = s.before;
    p.after = s.after;
    chain_store(c.in, p, tile, s.stage);
}

/* The data comes and goes by flags. kOverlap: the wait for it is only now. */
template <bool kOverlap> __device__ inline void do_linked(const Chain &c, Shared &s, unsigned step)
{
    const auto take = [&] {
        if (kOverlap)
            acquire(c, step, CHAIN_DATA);
        return read_data(c, step);
    };
    const auto give = [&](uint2 value) {
        write_data(c, step, value);
        release(c, step, CHAIN_DATA);
    };
    do_step(c, s, step, take, give);
}

/* Waits until it is known that the step is to be done. */
template <bool kOverlap> __device__ inline void begin(const Chain &c, unsigned step)
{
    acquire(c, step, kOverlap ? CHAIN_CONDITION : CHAIN_DATA);
    if (kOverlap)
        release(c, step, CHAIN_CONDITION);
}

/* After a launch of the next step. */
__device__ inline void look_at_launch(const Chain &c, unsigned step)
{
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        return;
    c.control->stopped = step + 1;
    c.control->error = static_cast<unsigned>(error);
}

/* ---- Kernels --------------------------------------------------------------------------------- */

__device__ inline void do_alone(const Chain &c, Shared &s, unsigned step)
{
    do_step(
        c, s, step, [&] { return read_data(c, step); },
        [&](uint2 value) { write_data(c, step, value); });
}

__global__ void __launch_bounds__(CHAIN_WG) chain_one(const Chain c, unsigned step)
{
    __shared__ Shared s;
    do_alone(c, s, step);
}

__global__ void __launch_bounds__(CHAIN_WG) chain_tail(const Chain c, unsigned step)
{
    __shared__ Shared s;
    if (threadIdx.x == 0 && step + 1 < c.in.steps) {
        chain_tail<<<1, CHAIN_WG, 0, cudaStreamTailLaunch>>>(c, step + 1);
        look_at_launch(c, step);
    }
    do_alone(c, s, step);
}

template <bool kOverlap>
__global__ void __launch_bounds__(CHAIN_WG) chain_nested(const Chain c, unsigned step)
{
    __shared__ Shared s;
    if (threadIdx.x == 0) {
        if (step + 1 < c.in.steps) {
            chain_nested<kOverlap><<<1, CHAIN_WG, 0, cudaStreamFireAndForget>>>(c, step + 1);
            look_at_launch(c, step);
        }
        begin<kOverlap>(c, step);
    }
    __syncthreads();
    do_linked<kOverlap>(c, s, step);
}

template <bool kOverlap> __global__ void __launch_bounds__(CHAIN_WG) chain_pool(const Chain c)
{
    __shared__ Shared s;
    if (threadIdx.x == 0) {
        s.step = atomicAdd(&c.links[CHAIN_NEXT], 1);
        begin<kOverlap>(c, s.step);
    }
    __syncthreads();
    do_linked<kOverlap>(c, s, s.step);
}

__global__ void __launch_bounds__(CHAIN_WG) chain_loop(const Chain c)
{
    __shared__ Shared s;
    uint2 data = make_uint2(0, 0); /* thread 0 keeps it */
    for (unsigned step = 0; step < c.in.steps; ++step) {
        do_step(
            c, s, step, [&] { return data; }, [&](uint2 value) { data = value; });
        __syncthreads();
    }
}

/* Lets the host put all launches in line before the first begins, as far as it can. */
__global__ void gate(long long cycles)
{
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
}
