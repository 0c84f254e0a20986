/* SPDX-License-Identifier: Apache-2.0
 *
 * The executions of a program with children (nest.clh) in CUDA, after its text:
 *
 *   parents_serial    a parent does its child's work itself; and phases without launches
 *   parents_flat      a block for each parent does it together
 *   parents_launch    each parent launches its child
 *   parents_together  the launches of a warp or of a block are one (KLAP'16 Fig. 12)
 *   parents_note      the launches of all parents are one, by the host or by the last block
 */
#pragma once

/* How a parent launches. */
enum class By {
    kForget, /* fire and forget */
    kNull,   /* the block's null stream: its children come one after the other */
    kThread, /* the thread's default stream */
    kStream, /* a stream of its own */
};

/* Arguments of a round beside its input. */
struct Round {
    nest_record *records;
    cb_u64 *count;     /* of records and their blocks; the lower half alone: of records */
    unsigned *blocks;  /* that have ended */
    unsigned *counted; /* children; null: nobody counts */
    unsigned *failed;  /* launches, then the last error */
    unsigned threshold;
};

__device__ inline unsigned parent_here()
{
    return blockIdx.x * TWIN_PARENT + threadIdx.x;
}

__device__ inline void count(const Round &round, unsigned launches)
{
    if (round.counted)
        atomicAdd(round.counted, launches);
}

/* Whether the launch just made took place; that of n children. */
__device__ inline bool is_launched(const Round &round, unsigned n)
{
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        return true;
    atomicAdd(round.failed, n);
    round.failed[1] = static_cast<unsigned>(error);
    return false;
}

/* ---- Children -------------------------------------------------------------------------------- */

__global__ void __launch_bounds__(TWIN_CHILD)
    child_of_one(const nest_input in, const nest_record record)
{
    nest_do_part(in, record, blockIdx.x, TWIN_CHILD, 1, threadIdx.x);
}

__global__ void __launch_bounds__(TWIN_CHILD)
    children(const nest_input in, const nest_record *records, unsigned n)
{
    const nest_record record = records[nest_find(records, n, blockIdx.x)];
    nest_do_part(in, record, blockIdx.x, TWIN_CHILD, 1, threadIdx.x);
}

/* ---- Parents --------------------------------------------------------------------------------- */

__global__ void __launch_bounds__(TWIN_PARENT) parents_serial(const nest_input in)
{
    nest_launched(in, parent_here(), 0xffffffffu);
}

__global__ void __launch_bounds__(TWIN_CHILD) parents_flat(const nest_input in)
{
    __shared__ unsigned of_parent;
    const unsigned parent = blockIdx.x;
    if (threadIdx.x == 0) {
        of_parent = nest_parent(in, parent);
        nest_take_room(in, parent, of_parent);
    }
    __syncthreads();
    for (unsigned item = threadIdx.x; item < of_parent; item += TWIN_CHILD)
        nest_child(in, parent, item, of_parent);
}

/* The device allows streams of a thread's own only if they do not block. */
template <By kBy>
__device__ void launch_one(const nest_input &in, const nest_record &record, unsigned blocks)
{
    cudaStream_t stream = kBy == By::kForget   ? cudaStreamFireAndForget
                          : kBy == By::kThread ? cudaStreamPerThread
                                               : nullptr;
    if constexpr (kBy == By::kStream)
        if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
            return;
    child_of_one<<<blocks, TWIN_CHILD, 0, stream>>>(in, record);
    if constexpr (kBy == By::kStream)
        cudaStreamDestroy(stream);
}

template <By kBy>
__global__ void __launch_bounds__(TWIN_PARENT)
    parents_launch(const nest_input in, const Round round)
{
    const unsigned items = nest_launched(in, parent_here(), round.threshold);
    if (items == 0)
        return;
    const nest_record record = {parent_here(), items, 0, TWIN_CHILD};
    count(round, 1);
    nest_take_room(in, record.parent, items);
    launch_one<kBy>(in, record, nest_groups(items, TWIN_CHILD, 1));
    if (!is_launched(round, 1))
        nest_do_all(in, record.parent, items);
}

/* ---- Launches of several as one -------------------------------------------------------------- */

constexpr unsigned kWarp = 32, kWarps = (TWIN_PARENT + kWarp - 1) / kWarp;

struct Sums {
    cb_u64 before, all; /* of the threads before this one, and of all */
};

__device__ inline unsigned threads_of_warp()
{
    return min(kWarp, TWIN_PARENT - threadIdx.x / kWarp * kWarp);
}

__device__ inline unsigned mask_of_warp()
{
    return 0xffffffffu >> (kWarp - threads_of_warp());
}

__device__ inline Sums sum_warp(cb_u64 value)
{
    const unsigned lane = threadIdx.x % kWarp;
    cb_u64 sum = value;
    for (unsigned d = 1; d < kWarp; d *= 2) {
        const cb_u64 other = __shfl_up_sync(mask_of_warp(), sum, d);
        sum += lane >= d ? other : 0;
    }
    return {sum - value, __shfl_sync(mask_of_warp(), sum, static_cast<int>(threads_of_warp() - 1))};
}

__device__ inline Sums sum_block(cb_u64 value)
{
    __shared__ cb_u64 warps[kWarps];
    const Sums here = sum_warp(value);
    __syncthreads(); /* the sums before may still be read */
    if (threadIdx.x % kWarp == 0)
        warps[threadIdx.x / kWarp] = here.all;
    __syncthreads();
    Sums sums = {here.before, 0};
    for (unsigned warp = 0; warp < kWarps; ++warp) {
        sums.before += warp < threadIdx.x / kWarp ? warps[warp] : 0;
        sums.all += warps[warp];
    }
    return sums;
}

template <bool kBlock> __device__ bool is_first()
{
    return (kBlock ? threadIdx.x : threadIdx.x % kWarp) == 0;
}

template <bool kBlock> __device__ Sums sum(cb_u64 value)
{
    return kBlock ? sum_block(value) : sum_warp(value);
}

/* Gives the value of the first thread to all, and makes their writes known to it. */
template <bool kBlock> __device__ unsigned share(unsigned value)
{
    __shared__ unsigned shared;
    if (!kBlock)
        return __shfl_sync(mask_of_warp(), value, 0);
    __syncthreads();
    if (threadIdx.x == 0)
        shared = value;
    __syncthreads();
    return shared;
}

/* Takes as many as all need by one addition; returns where its own begin. */
template <bool kBlock> __device__ unsigned take(unsigned *next, const Sums &sums)
{
    const unsigned n = NEST_RECORDS(sums.all);
    const unsigned begin = is_first<kBlock>() && n > 0 ? atomicAdd(next, n) : 0;
    return share<kBlock>(begin) + NEST_RECORDS(sums.before);
}

template <bool kBlock> __device__ void take_room(const nest_input &in, unsigned items)
{
#ifdef NEST_ROOM
    const unsigned at = take<kBlock>(in.words, sum<kBlock>(items > 0 ? NEST_ROOM(items) : 0));
    if (items > 0)
        nest_give_room(in, parent_here(), at);
#else
    (void)in, (void)items;
#endif
}

/* The children of n records as one kernel. */
__device__ inline void launch_records(const nest_input &in, const Round &round,
                                      const nest_record *records, cb_u64 count)
{
    const unsigned n = NEST_RECORDS(count);
    children<<<NEST_GROUPS(count), TWIN_CHILD, 0, cudaStreamFireAndForget>>>(in, records, n);
    if (!is_launched(round, n))
        for (unsigned i = 0; i < n; ++i)
            nest_do_all(in, records[i].parent, records[i].items);
}

template <bool kBlock>
__global__ void __launch_bounds__(TWIN_PARENT)
    parents_together(const nest_input in, const Round round)
{
    const unsigned items = nest_launched(in, parent_here(), round.threshold);
    const unsigned blocks = items > 0 ? nest_groups(items, TWIN_CHILD, 1) : 0;
    const Sums sums = sum<kBlock>(items > 0 ? NEST_COUNT(1, blocks) : 0);
    const unsigned at = take<kBlock>(reinterpret_cast<unsigned *>(round.count), sums);
    if (items > 0)
        round.records[at] = {parent_here(), items, NEST_GROUPS(sums.before), TWIN_CHILD};
    take_room<kBlock>(in, items);
    __threadfence();
    share<kBlock>(0);
    if (!is_first<kBlock>() || sums.all == 0)
        return;
    count(round, NEST_RECORDS(sums.all));
    launch_records(in, round, round.records + at, sums.all);
}

/* Takes its place and its blocks by one addition, as our `grid` with --places sequential. */
__device__ inline void note(const nest_input &in, const Round &round, unsigned items)
{
    const unsigned blocks = nest_groups(items, TWIN_CHILD, 1);
    const cb_u64 before = atomicAdd(reinterpret_cast<unsigned long long *>(round.count),
                                    static_cast<unsigned long long>(NEST_COUNT(1, blocks)));
    round.records[NEST_RECORDS(before)] = {parent_here(), items, NEST_GROUPS(before), TWIN_CHILD};
    nest_take_room(in, parent_here(), items);
}

template <bool kLast>
__global__ void __launch_bounds__(TWIN_PARENT) parents_note(const nest_input in, const Round round)
{
    const unsigned items = nest_launched(in, parent_here(), round.threshold);
    if (items > 0)
        note(in, round, items);
    if (!kLast)
        return;
    __threadfence();
    __syncthreads();
    if (threadIdx.x != 0 || atomicAdd(round.blocks, 1) + 1 != gridDim.x)
        return;
    __threadfence();
    const cb_u64 all = *const_cast<volatile cb_u64 *>(round.count);
    count(round, NEST_RECORDS(all));
    if (all > 0)
        launch_records(in, round, round.records, all);
}
