/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL C as CUDA C++: as much of it as programs of `coopbench launch` use. A program's text is
 * included between this file and text_end.h; all other headers come before, since `static` and
 * `global` mean something else in between. Functions of a program have to be static.
 *
 * Not #pragma once: it is a pair of brackets.
 */
#define CB_CUDA

typedef unsigned char uchar;

/* CUDA's atomicInc and atomicDec count up to a limit, OpenCL's do not; CUDA's take no volatile. */
#define TWIN_ATOMIC(cl, cuda)                                                                      \
    __device__ inline unsigned atomic_##cl(volatile unsigned *p, unsigned value)                   \
    {                                                                                              \
        return cuda(const_cast<unsigned *>(p), value);                                             \
    }                                                                                              \
    __device__ inline int atomic_##cl(volatile int *p, int value)                                  \
    {                                                                                              \
        return cuda(const_cast<int *>(p), value);                                                  \
    }
TWIN_ATOMIC(add, atomicAdd)
TWIN_ATOMIC(sub, atomicSub)
TWIN_ATOMIC(xchg, atomicExch)
TWIN_ATOMIC(min, atomicMin)
TWIN_ATOMIC(max, atomicMax)
TWIN_ATOMIC(and, atomicAnd)
TWIN_ATOMIC(or, atomicOr)
TWIN_ATOMIC(xor, atomicXor)
#undef TWIN_ATOMIC

template <class Word> __device__ inline Word atomic_inc(volatile Word *p)
{
    return atomic_add(p, Word{1});
}

template <class Word> __device__ inline Word atomic_dec(volatile Word *p)
{
    return atomic_sub(p, Word{1});
}

template <class Word>
__device__ inline Word atomic_cmpxchg(volatile Word *p, Word expected, Word value)
{
    return atomicCAS(const_cast<Word *>(p), expected, value);
}

/* Literals are int, where OpenCL C converts them. */
__device__ inline unsigned atomic_cmpxchg(volatile unsigned *p, unsigned expected, unsigned value)
{
    return atomicCAS(const_cast<unsigned *>(p), expected, value);
}

__device__ inline float as_float(unsigned bits)
{
    return __uint_as_float(bits);
}

__device__ inline unsigned as_uint(float value)
{
    return __float_as_uint(value);
}

__device__ inline unsigned popcount(unsigned x)
{
    return static_cast<unsigned>(__popc(static_cast<int>(x)));
}

__device__ inline unsigned clz(unsigned x)
{
    return static_cast<unsigned>(__clz(static_cast<int>(x)));
}

__device__ inline unsigned mul_hi(unsigned x, unsigned y)
{
    return __umulhi(x, y);
}

__device__ inline unsigned rotate(unsigned x, unsigned by)
{
    return __funnelshift_l(x, x, by);
}

__device__ inline float mad(float x, float y, float z)
{
    return x * y + z;
}

template <class Value, class Low, class High>
__device__ inline Value clamp(Value x, Low low, High high)
{
    const Value above = x < static_cast<Value>(low) ? static_cast<Value>(low) : x;
    return above > static_cast<Value>(high) ? static_cast<Value>(high) : above;
}

#define static static __device__
#define global
#define local
#define private
#define constant __constant__
#define restrict __restrict__
#define barrier(flags)      __syncthreads()
#define convert_int(x)      static_cast<int>(x)
#define convert_uint(x)     static_cast<unsigned>(x)
#define convert_float(x)    static_cast<float>(x)
#define CHAIN_PAIR(x, y)    make_uint2(x, y)
#define native_sqrt(x)      sqrtf(x)
#define native_rsqrt(x)     rsqrtf(x)
#define native_divide(x, y) __fdividef(x, y)
#define native_recip(x)     (1.0f / (x))
#ifndef M_PI_F
#define M_PI_F 3.14159274101257f
#endif
#ifndef MAXFLOAT
#define MAXFLOAT 3.402823466e+38f
#endif
