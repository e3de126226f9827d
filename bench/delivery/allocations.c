// Counts calls of malloc and its kin, for `bench/delivery/allocations`: preloaded into the server. OpenSSL's are counted
// apart from all others by the address they come from. The counts stand in the file $ALLOCATION_COUNTERS as two 64-bit
// numbers, which others can read while the server runs.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic uint64_t fallback[2];
static _Atomic uint64_t *counters = fallback;
// Where libcrypto and libssl stand. Both count: what allocates for libssl jumps to malloc, and returns to libssl.
static struct { uintptr_t first, last; } libraries[2];

static int find(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  (void)context;
  int isSSL = strstr(info->dlpi_name, "libssl.so") != NULL;
  if (!isSSL && strstr(info->dlpi_name, "libcrypto.so") == NULL) return 0;
  libraries[isSSL].first = info->dlpi_addr;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    uintptr_t end = info->dlpi_addr + info->dlpi_phdr[index].p_vaddr + info->dlpi_phdr[index].p_memsz;
    if (info->dlpi_phdr[index].p_type == PT_LOAD && end > libraries[isSSL].last) libraries[isSSL].last = end;
  }
  return 0;
}

__attribute__((constructor)) static void prepare(void) {
  dl_iterate_phdr(find, NULL);
  const char *path = getenv("ALLOCATION_COUNTERS");
  int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (shared != MAP_FAILED) counters = shared;
}

static void count(void *caller) {
  uintptr_t address = (uintptr_t)caller;
  int isOpenSSL = (address >= libraries[0].first && address < libraries[0].last) ||
                  (address >= libraries[1].first && address < libraries[1].last);
  counters[isOpenSSL]++;
}

void *malloc(size_t size) {
  count(__builtin_return_address(0));
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count(__builtin_return_address(0));
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count(__builtin_return_address(0));
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  count(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  count(__builtin_return_address(0));
  *result = __libc_memalign(alignment, size);
  return *result == NULL ? 12 : 0;
}
