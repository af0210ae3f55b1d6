// A library for LD_PRELOAD: each sync of a file takes SLOW_SYNC_MS longer, as on a network disk.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static int slow(const char *name, int fd) {
  usleep(atoi(getenv("SLOW_SYNC_MS")) * 1000);
  return ((int (*)(int))dlsym(RTLD_NEXT, name))(fd);
}

int fsync(int fd) { return slow("fsync", fd); }
int fdatasync(int fd) { return slow("fdatasync", fd); }
