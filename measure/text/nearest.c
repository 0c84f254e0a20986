/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/text/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_WORD   63 /* a misspelt longer one has no nearest: nobody would type it */
#define MIN_PREFIX 3

static size_t min_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Damerau-Levenshtein distance in its optimal-string-alignment form: inserted, deleted and replaced
 * letters and swapped neighbours cost 1 each. Both words have at most MAX_WORD letters. */
static size_t distance(const char *a, const char *b)
{
    size_t row[3][MAX_WORD + 1]; /* rows of the alignment matrix: this one and the two before */
    size_t length_a = strlen(a), length_b = strlen(b);
    for (size_t j = 0; j <= length_b; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= length_a; i++) {
        size_t *now = row[i % 3];
        const size_t *last = row[(i + 2) % 3], *last_but_one = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            now[j] =
                min_of(min_of(last[j], now[j - 1]) + 1, last[j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                now[j] = min_of(now[j], last_but_one[j - 2] + 1);
        }
    }
    return row[length_a % 3][length_b];
}

/* Whether word can stand for a candidate at this distance. A word that shares no letter with the
 * candidate never does, however short both are. */
static bool is_near(const char *word, const char *candidate, size_t d)
{
    size_t length = strlen(word);
    if (length >= MIN_PREFIX && strncasecmp(word, candidate, length) == 0)
        return true;
    size_t longer = length > strlen(candidate) ? length : strlen(candidate);
    return d <= (length / 3 > 1 ? length / 3 : 1) && d < longer;
}

const char *cb_nearest(const char *word, const char *(*next)(const void *context, int i),
                       const void *context)
{
    const char *best = NULL, *candidate;
    size_t best_distance = 0;
    if (strlen(word) > MAX_WORD)
        return NULL;
    for (int i = 0; (candidate = next(context, i)) != NULL; i++) {
        if (strlen(candidate) > MAX_WORD)
            continue;
        size_t d = distance(word, candidate);
        if (is_near(word, candidate, d) && (!best || d < best_distance)) {
            best = candidate;
            best_distance = d;
        }
    }
    return best;
}

/* Word i of words that end with a null each, and with an empty word. */
static const char *packed_word(const void *words, int i)
{
    const char *word = words;
    for (; i > 0 && *word; i--)
        word += strlen(word) + 1;
    return *word ? word : NULL;
}

const char *cb_nearest_choice(const char *word, const char *choices, char *buffer, size_t size)
{
    char *words = calloc(strlen(choices) + 2, 1);
    if (!words)
        return NULL;
    for (size_t i = 0; choices[i]; i++)
        words[i] = choices[i];
    for (char *comma = words; (comma = strchr(comma, ',')) != NULL;)
        *comma++ = '\0';
    const char *nearest = cb_nearest(word, packed_word, words);
    bool fits = nearest && strlen(nearest) < size;
    if (fits)
        memcpy(buffer, nearest, strlen(nearest) + 1);
    free(words);
    return fits ? buffer : NULL;
}
