/* SPDX-License-Identifier: Apache-2.0
 *
 * What is kept between runs: keys, damaged entries, limits, and two processes at once.
 */
#include "temp_folder.h"
#include "tests/unit/unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>

#include "runtime/cache.h"
#include "runtime/program_cache.h"

static int setup(void **state)
{
    unsetenv("COOPBENCH_NO_CACHE");
    return make_folder(state) == 0 ? setenv("COOPBENCH_CACHE_DIR", folder, 1) : -1;
}

static struct cb_cache_key key_of(const char *text)
{
    struct cb_cache_key key = cb_cache_key_start();
    cb_cache_key_add(&key, text);
    return key;
}

static void put(const char *name, const char *content)
{
    cb_cache_put(key_of(name), content, strlen(content));
}

static bool holds(const char *name, const char *content)
{
    void *data;
    size_t size;
    bool found = cb_cache_get(key_of(name), &data, &size);
    bool same = found && size == strlen(content) && memcmp(data, content, size) == 0;
    free(data);
    return same;
}

static bool is_there(const char *name)
{
    void *data;
    size_t size;
    bool found = cb_cache_get(key_of(name), &data, &size);
    free(data);
    return found;
}

/* The only file of the folder. */
static void only_file(char path[512])
{
    DIR *dir = opendir(folder);
    const struct dirent *d;
    int n = 0;
    assert_non_null(dir);
    while ((d = readdir(dir)))
        if (d->d_name[0] != '.') {
            snprintf(path, 512, "%s/%s", folder, d->d_name);
            n++;
        }
    closedir(dir);
    assert_int_equal(n, 1);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

TEST_WITH(what_is_kept_is_found, setup, remove_folder)
{
    assert_false(is_there("a"));
    put("a", "first");
    put("b", "");
    assert_true(holds("a", "first"));
    assert_true(holds("b", ""));
    put("a", "second, and longer");
    assert_true(holds("a", "second, and longer"));
    cb_cache_remove(key_of("a"));
    assert_false(is_there("a"));
}

TEST_WITH(nothing_is_kept_if_nothing_is_wanted, setup, remove_folder)
{
    put("a", "first");
    setenv("COOPBENCH_NO_CACHE", "1", 1);
    assert_false(is_there("a"));
    put("b", "second");
    unsetenv("COOPBENCH_NO_CACHE");
    assert_true(is_there("a"));
    assert_false(is_there("b"));
}

static void flip_byte(const char *path, off_t at)
{
    char byte = 0;
    int file = open(path, O_RDWR);
    assert_int_equal(pread(file, &byte, 1, at), 1);
    byte ^= 1;
    assert_int_equal(pwrite(file, &byte, 1, at), 1);
    close(file);
}

/* Wherever an entry is damaged: it is not used, and it is gone, so that it will be made again. */
TEST_WITH(damaged_entries_are_removed, setup, remove_folder)
{
    char path[512];
    struct stat info;
    put("a", "content");
    only_file(path);
    assert_int_equal(stat(path, &info), 0);
    off_t content = info.st_size - (off_t)strlen("content");
    const off_t places[] = {0, content - 16, content - 8, content, info.st_size - 1};
    for (size_t i = 0; i < CB_COUNTOF(places); i++) {
        flip_byte(path, places[i]);
        assert_false(is_there("a"));
        assert_int_equal(access(path, F_OK), -1);
        put("a", "content");
        assert_true(holds("a", "content"));
    }
    for (off_t length = 0; length < info.st_size; length += 5) {
        assert_int_equal(truncate(path, length), 0);
        assert_false(is_there("a"));
        put("a", "content");
    }
}

TEST_WITH(a_pipe_is_not_waited_for, setup, remove_folder)
{
    char path[512];
    put("a", "content");
    only_file(path);
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(is_there("a"));
}

static void set_age(const char *path, time_t seconds)
{
    const struct timespec times[] = {{.tv_sec = time(NULL) - seconds},
                                     {.tv_sec = time(NULL) - seconds}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void set_age_of_all(time_t seconds)
{
    DIR *dir = opendir(folder);
    const struct dirent *d;
    char path[512];
    while ((d = readdir(dir))) {
        snprintf(path, sizeof path, "%s/%s", folder, d->d_name);
        if (d->d_name[0] != '.')
            set_age(path, seconds);
    }
    closedir(dir);
}

TEST_WITH(what_was_not_used_goes_first, setup, remove_folder)
{
    char content[1001] = "";
    memset(content, 'x', sizeof content - 1);
    put("old", content);
    put("used", content);
    set_age_of_all(1000);
    put("new", content);
    assert_true(is_there("used"));
    cb_cache_trim(3 * 1100);
    assert_true(is_there("old")); /* and used now */
    set_age_of_all(1000);
    assert_true(is_there("used"));
    cb_cache_trim(1500);
    assert_true(is_there("used"));
    assert_false(is_there("old"));
    assert_false(is_there("new"));
}

TEST_WITH(what_a_writer_left_is_removed, setup, remove_folder)
{
    char path[512], left[600], fresh[600], other[600];
    put("a", "content");
    only_file(path);
    snprintf(left, sizeof left, "%s.1.tmp", path);
    snprintf(fresh, sizeof fresh, "%s.2.tmp", path);
    snprintf(other, sizeof other, "%s/not ours", folder);
    const char *const files[] = {left, fresh, other};
    for (size_t i = 0; i < CB_COUNTOF(files); i++)
        close(open(files[i], O_CREAT | O_WRONLY, 0600));
    set_age(left, 7200);
    set_age(other, 7200);
    cb_cache_trim(0);
    assert_int_equal(access(left, F_OK), -1);
    assert_int_equal(access(fresh, F_OK), 0);
    assert_int_equal(access(other, F_OK), 0);
    assert_false(is_there("a"));
}

/* Two processes that write, read and trim the same entries: each read gives a whole content. */
static void use_for_a_while(char letter)
{
    char content[5001] = "", name[2] = "";
    memset(content, letter, sizeof content - 1);
    for (int i = 0; i < 300; i++) {
        void *data;
        size_t size;
        name[0] = (char)('a' + i % 3);
        put(name, content);
        if (cb_cache_get(key_of(name), &data, &size)) {
            const char *text = data;
            if (size != 5000 || (text[0] != 'A' && text[0] != 'B') ||
                strspn(text, (char[]){text[0], '\0'}) < size)
                _exit(1);
            free(data);
        }
        cb_cache_trim(i % 7 == 0 ? 6000 : 100000);
    }
    _exit(0);
}

TEST_WITH(two_processes, setup, remove_folder)
{
    pid_t children[2];
    for (int i = 0; i < 2; i++) {
        children[i] = fork();
        if (children[i] == 0)
            use_for_a_while((char)('A' + i));
    }
    for (int i = 0; i < 2; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
}

TEST_WITH(the_folder, setup, remove_folder)
{
    char path[512];
    struct cb_err err;
    unsetenv("COOPBENCH_CACHE_DIR");
    setenv("XDG_CACHE_HOME", folder, 1);
    assert_int_equal(cb_cache_open(&err), CB_OK);
    snprintf(path, sizeof path, "%s/coopbench", folder);
    assert_int_equal(access(path, W_OK), 0);
    put("a", "content");
    assert_true(is_there("a"));
    snprintf(path, sizeof path, "%s/a file", folder);
    close(open(path, O_CREAT | O_WRONLY, 0600));
    setenv("COOPBENCH_CACHE_DIR", path, 1);
    assert_int_equal(cb_cache_open(&err), CB_ERROR);
    assert_non_null(strstr(err.text, path));
    put("b", "content");
    assert_false(is_there("b"));
    unsetenv("XDG_CACHE_HOME");
}

/* Each thing that changes what a compiler makes changes the key. */
TEST_WITH(keys_of_programs, setup, remove_folder)
{
    struct cb_device devices[7];
    struct cb_cache_key keys[10];
    size_t n = 0;
    for (size_t i = 0; i < CB_COUNTOF(devices); i++)
        devices[i] = (struct cb_device){.id = "pci:1", .name = "D"};
    strcpy(devices[1].id, "pci:2");
    strcpy(devices[2].name, "E");
    strcpy(devices[3].platform, "P");
    strcpy(devices[4].platform_version, "1");
    strcpy(devices[5].driver_version, "2");
    strcpy(devices[6].device_version, "OpenCL 3.0");
    for (size_t i = 0; i < CB_COUNTOF(devices); i++)
        keys[n++] = cb_program_key(&devices[i], "text", "-DA");
    keys[n++] = cb_program_key(&devices[0], "text2", "-DA");
    keys[n++] = cb_program_key(&devices[0], "text", "-DB");
    keys[n++] = cb_program_key(&devices[0], "Atext", "-D");
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            assert_true(keys[i].high != keys[j].high && keys[i].low != keys[j].low);
    struct cb_cache_key again = cb_program_key(&devices[0], "text", "-DA");
    assert_true(again.high == keys[0].high && again.low == keys[0].low);
}

TEST_WITH(drivers_with_a_cache_of_their_own, setup, remove_folder)
{
    static const struct {
        const char *platform, *variable, *value;
        bool keeps;
    } cases[] = {{"NVIDIA CUDA", "CUDA_CACHE_DISABLE", "0", true},
                 {"NVIDIA CUDA", "CUDA_CACHE_DISABLE", "1", false},
                 {"Portable Computing Language", "POCL_KERNEL_CACHE", "1", true},
                 {"Portable Computing Language", "POCL_KERNEL_CACHE", "0", false},
                 {"Another", "POCL_KERNEL_CACHE", "1", false}};
    for (size_t i = 0; i < CB_COUNTOF(cases); i++) {
        struct cb_device device = {0};
        strcpy(device.platform, cases[i].platform);
        setenv(cases[i].variable, cases[i].value, 1);
        assert_int_equal(cb_driver_keeps_programs(&device), cases[i].keeps);
        unsetenv(cases[i].variable);
        assert_int_equal(cb_driver_keeps_programs(&device), i < 4);
    }
}
