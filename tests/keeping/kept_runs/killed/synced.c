/* Keeps what survives a loss of power: a copy of each file as it was when it was synced last, in a folder of its own.
 * It is loaded before the C library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef int sync_fn(int);

/* The file is read by its own descriptor: to close another one would give up the locks of this process. */
static int copy(int from, const char *to) {
    int file = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    char bytes[65536];
    off_t at = 0;
    ssize_t count;
    if (file < 0) {
        return -1;
    }
    while ((count = pread(from, bytes, sizeof bytes, at)) > 0) {
        if (write(file, bytes, (size_t)count) != count) {
            abort();
        }
        at += count;
    }
    close(file);
    return 0;
}

static int keep(int file, const char *how) {
    sync_fn *sync = (sync_fn *)dlsym(RTLD_NEXT, how);
    const char *folder = getenv("TOOLWRIGHT_TEST_DURABLE");
    char link[64], path[4096], draft[8192], kept[8192];
    struct stat found;
    ssize_t length;
    int is_kept = 0, synced;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    length = readlink(link, path, sizeof path - 1);
    if (folder && length > 0 && fstat(file, &found) == 0 && S_ISREG(found.st_mode)) {
        const char *name;
        path[length] = 0;
        name = strrchr(path, '/');
        snprintf(draft, sizeof draft, "%s/.draft%s", folder, name ? name + 1 : path);
        snprintf(kept, sizeof kept, "%s/%s", folder, name ? name + 1 : path);
        is_kept = copy(file, draft) == 0;
    }
    synced = sync(file);
    if (is_kept && synced == 0 && rename(draft, kept) != 0) {
        abort();
    }
    return synced;
}

int fsync(int file) { return keep(file, "fsync"); }

int fdatasync(int file) { return keep(file, "fdatasync"); }
