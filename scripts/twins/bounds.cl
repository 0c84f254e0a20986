/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of locks and barriers cost on an NVIDIA GPU: each kernel makes one turn of
 * something again and again, one work-item of each workgroup on a line of its own; meet is a
 * barrier. TURN is the number of a row of bounds.c. Nobody waits without bound.
 */
typedef volatile global uint *word;

static inline ulong nanoseconds(void)
{
    ulong t;
    __asm__ volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    return t;
}

#define LOAD(order)                                                                                \
    static inline uint load_##order(word p)                                                        \
    {                                                                                              \
        uint v;                                                                                    \
        __asm__ volatile("ld." #order ".gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");  \
        return v;                                                                                  \
    }
LOAD(relaxed)
LOAD(acquire)

#define ADD(order)                                                                                 \
    static inline uint add_##order(word p, uint v)                                                 \
    {                                                                                              \
        uint old;                                                                                  \
        __asm__ volatile("atom." #order ".gpu.global.add.u32 %0, [%1], %2;"                        \
                         : "=r"(old)                                                               \
                         : "l"(p), "r"(v)                                                          \
                         : "memory");                                                              \
        return old;                                                                                \
    }
ADD(relaxed)
ADD(acquire)
ADD(release)

static inline void post_release(word p, uint v)
{
    __asm__ volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

#define FENCE_RELEASE __asm__ volatile("fence.release.gpu;" ::: "memory")
#define FENCE_ACQUIRE __asm__ volatile("fence.acquire.gpu;" ::: "memory")

#define MOST_POLLS 2000000u

/* Until a counter has reached wanted, relaxed; false: given up. */
static inline bool reached(word p, uint wanted)
{
    for (uint i = 0; i < MOST_POLLS; i++)
        if ((int)(load_relaxed(p) - wanted) >= 0)
            return true;
    return false;
}

/* A value that no word ever has: uses what was read, so that the turn waits for it. */
#define NEVER 0x77777777u

/* words: [0] start, [64] barrier, from [1024] on a line for each workgroup. times: start and end of
 * each; gave_up is set if somebody did. */
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
turns(word words, global ulong *times, global uint *gave_up, uint rounds)
{
    uint group = (uint)get_group_id(0), groups = (uint)get_num_groups(0);
    word own = words + 1024 + 64 * group;
    bool ok = true, first = get_local_id(0) == 0;
    if (first) {
        add_release(words, 1);
        ok = reached(words, groups);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    ulong start = nanoseconds();
#if TURN >= 6
    for (uint r = 1; r <= rounds; r++) {
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (first && ok) {
#if TURN == 6
            add_relaxed(words + 64, 1);
            ok = reached(words + 64, r * groups);
#else
            add_release(words + 64, 1);
            ok = reached(words + 64, r * groups);
            FENCE_ACQUIRE;
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
#else
    for (uint r = 0; r < rounds && first && ok; r++) {
#if TURN == 0
        ok = load_relaxed(own) != NEVER;
#elif TURN == 1
        ok = add_relaxed(own, 1) != NEVER;
#elif TURN == 2
        FENCE_RELEASE;
#elif TURN == 3
        ok = load_relaxed(own) != NEVER;
        FENCE_RELEASE;
#elif TURN == 4
        ok = load_acquire(own) != NEVER;
        FENCE_RELEASE;
#elif TURN == 5
        ok = add_acquire(own, 1) != NEVER;
        post_release(own, (uint)-1);
#endif
    }
#endif
    if (first) {
        times[2 * group] = start;
        times[2 * group + 1] = nanoseconds();
        if (!ok)
            *gave_up = 1;
    }
}
