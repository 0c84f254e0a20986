/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/memory/memory.h"

size_t cb_memory_word_count(const struct cb_memory *m, size_t groups)
{
    if (m->hostage)
        return (size_t)m->stride + CB_HOSTAGE_SIGNAL + 1;
    return m->stride ? groups * m->stride : 1;
}

static void check_reads(const struct cb_memory *m, struct cb_sample *sample)
{
    cb_u32 expected = ((m->chase ? 0 : m->accesses) + m->atomic_first) * CB_MEMORY_INITIAL;
    for (size_t i = 0; i < m->launched; i++)
        cb_sample_check(sample, m->groups[i].sum == expected,
                        "workgroup %zu read a sum of %u instead of %u", i, m->groups[i].sum,
                        expected);
    for (size_t i = 0; i < cb_memory_word_count(m, m->launched); i++)
        cb_sample_check(sample, m->values[i] == CB_MEMORY_INITIAL, "a read has changed word %zu",
                        i);
}

/* The last value of a workgroup's word is its last; of a common word, some workgroup's last. */
static void check_writes(const struct cb_memory *m, struct cb_sample *sample)
{
    if (m->stride == 0) {
        cb_u32 value = m->values[0];
        bool last = value % m->accesses == m->accesses - 1 && value / m->accesses < m->launched;
        cb_sample_check(sample, last, "the word holds %u, no workgroup's last value", value);
        return;
    }
    for (size_t i = 0; i < m->launched; i++) {
        cb_u32 expected = (cb_u32)(i + 1) * m->accesses - 1, value = m->values[i * m->stride];
        cb_sample_check(sample, value == expected, "word %zu holds %u instead of %u", i, value,
                        expected);
    }
}

/* Every atomic addition of the others is in their word, and no other word has changed but the
 * reader's signal. */
static void check_hostage(const struct cb_memory *m, struct cb_sample *sample)
{
    size_t signal = cb_memory_word_count(m, m->launched) - 1;
    cb_u32 added = 0;
    for (size_t i = 1; i < m->launched; i++)
        added += m->groups[i].sum;
    cb_sample_check(sample, m->groups[0].sum == m->accesses,
                    "%u of the reader's %u reads gave a right value", m->groups[0].sum,
                    m->accesses);
    for (size_t i = 0; i <= signal; i++) {
        cb_u32 expected = i == signal ? CB_HOSTAGE_STOP : CB_MEMORY_INITIAL;
        if (i == 0 && m->disturbed_by_atomics)
            expected += added;
        cb_sample_check(sample, m->values[i] == expected, "word %zu holds %u instead of %u", i,
                        m->values[i], expected);
    }
}

void cb_memory_check(const struct cb_memory *m, struct cb_sample *sample)
{
    for (size_t i = 0; i < m->launched; i++)
        cb_sample_check(sample, m->groups[i].passed, "workgroup %zu made no accesses", i);
    if (m->hostage)
        check_hostage(m, sample);
    else if (m->write)
        check_writes(m, sample);
    else
        check_reads(m, sample);
}
