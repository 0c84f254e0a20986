/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/coop/reduce.h"

#include "runtime/coop/matmul.h"

static uint64_t elements_of(uint32_t size)
{
    return (uint64_t)COOP_TASK_ROWS(size) * COOP_TASK_ROWS(size);
}

uint32_t cb_reduce_digest(uint32_t size)
{
    uint32_t sum = 0, elements = (uint32_t)elements_of(size);
    for (uint32_t i = 0; i < elements; i++)
        sum += cb_matmul_element(i) * (i * 2654435761u + 1u);
    return sum * COOP_TASK_DEPTH(size);
}

/* The salts add the sum of all weights times the sum of all salts. */
uint32_t cb_reduce_salted(uint32_t digest, uint32_t size, uint32_t salt)
{
    uint64_t n = elements_of(size), passes = COOP_TASK_DEPTH(size);
    uint32_t weights = (uint32_t)(n * (n - 1) / 2) * 2654435761u + (uint32_t)n;
    uint32_t salts = (uint32_t)passes * salt + (uint32_t)(passes * (passes - 1) / 2);
    return digest + salts * weights;
}
