/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/matmul.h"

static uint32_t element_a(uint32_t i)
{
    return (i * 2246822519u) >> 9;
}

static uint32_t element_b(uint32_t i)
{
    return (i * 3266489917u) >> 11;
}

static uint32_t weight(uint32_t i)
{
    return i * 2654435761u + 1u;
}

void cb_matmul_fill(uint32_t *a, uint32_t *b, size_t elements)
{
    for (size_t i = 0; i < elements; i++) {
        a[i] = element_a((uint32_t)i);
        b[i] = element_b((uint32_t)i);
    }
}

uint32_t cb_matmul_digest(uint32_t size)
{
    uint32_t digest = 0;
    for (uint32_t k = 0; k < size; k++) {
        uint32_t column = 0, row = 0;
        for (uint32_t i = 0; i < size; i++) {
            column += weight(i) * element_a(i * size + k);
            row += weight(i) * element_b(k * size + i);
        }
        digest += column * row;
    }
    return digest;
}

uint32_t cb_matmul_salted(uint32_t digest, uint32_t size, uint32_t salt)
{
    uint32_t weights = 0;
    for (uint32_t i = 0; i < size; i++)
        weights += weight(i);
    return digest + salt * weights * weights;
}
