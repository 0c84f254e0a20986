/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a target of fuzzing once for each file that is named, or that lies in a folder that is
 * named: what found something stays found, without libFuzzer.
 */
#include "tests/fuzz/fuzz.h"

#include <sys/stat.h>

#define MOST_BYTES 1000000

static int replayed;

static void replay_file(const char *path)
{
    static uint8_t bytes[MOST_BYTES];
    FILE *in = fopen(path, "rbe");
    fuzz_need(in, path);
    size_t n = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    uint8_t *exact = malloc(n + !n); /* so that a sanitizer sees where it ends */
    fuzz_need(exact, path);
    memcpy(exact, bytes, n);
    fprintf(stderr, "%s\n", path); /* the last one is the one that fails */
    LLVMFuzzerTestOneInput(exact, n);
    free(exact);
    replayed++;
}

static void replay(const char *path)
{
    char inside[1024];
    struct stat info;
    fuzz_need(stat(path, &info) == 0, path);
    DIR *folder = S_ISDIR(info.st_mode) ? opendir(path) : NULL;
    if (!folder) {
        replay_file(path);
        return;
    }
    for (struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.' &&
            snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name) < (int)sizeof inside)
            replay_file(inside);
    closedir(folder);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    printf("%d inputs replayed\n", replayed);
    if (replayed == 0)
        fprintf(stderr, "Usage: %s FILE-OR-FOLDER...\n", argv[0]);
    return replayed > 0 ? 0 : 2;
}
