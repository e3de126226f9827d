// What the toolchain's Glibc module does not carry: calls and constants of the Linux kernel.
#pragma once
// `_GNU_SOURCE` must not be defined here: it changes structures that the Glibc module has without it.
// The calls it would bring are declared by hand below.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <malloc.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern ssize_t preadv2(int, const struct iovec *, int, off_t, int);
extern int renameat2(int, const char *, int, const char *, unsigned int);

/// Lets malloc keep what is freed and soon wanted again, for buffers of records that come and go with each send: by
/// default it gives pages back to the kernel, which then has to clear them anew.
static inline void packhouse_keep_freed_buffers(void) {
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 4 << 20);
}

/// Gives every page that malloc holds and nobody uses back to the kernel.
static inline void packhouse_give_back_memory(void) { malloc_trim(0); }

static inline int packhouse_accept4(int fd, struct sockaddr_storage *address, socklen_t *length) {
  return accept4(fd, (struct sockaddr *)address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/// Reads what the page cache holds and never waits for the disk; -1 with EAGAIN when the page is cold.
static inline ssize_t packhouse_pread_nowait(int fd, void *buffer, size_t count, off_t offset) {
  struct iovec one = {.iov_base = buffer, .iov_len = count};
  return preadv2(fd, &one, 1, offset, 0x00000008 /* RWF_NOWAIT */);
}

static inline int packhouse_rename_noreplace(int from_folder, const char *from, int to_folder, const char *to) {
  return renameat2(from_folder, from, to_folder, to, 1 /* RENAME_NOREPLACE */);
}

/// Opens a new file without a name in `folder` for reading and writing, which is gone when it is closed unless
/// linkat(2) gives it one; -1 where the file system has no such files.
static inline int packhouse_open_unnamed(const char *folder, mode_t mode) {
  return open(folder, __O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

/// openat(2), which is variadic.
static inline int packhouse_openat(int folder, const char *path, int flags, mode_t mode) {
  return openat(folder, path, flags, mode);
}

static inline uint32_t packhouse_epoll_in(void) { return EPOLLIN; }
static inline uint32_t packhouse_epoll_out(void) { return EPOLLOUT; }
static inline uint32_t packhouse_epoll_rdhup(void) { return EPOLLRDHUP; }
static inline uint32_t packhouse_epoll_hup(void) { return EPOLLHUP; }
static inline uint32_t packhouse_epoll_err(void) { return EPOLLERR; }
static inline uint32_t packhouse_epoll_exclusive(void) { return EPOLLEXCLUSIVE; }
static inline uint32_t packhouse_epoll_et(void) { return EPOLLET; }

/// The first version of the kernel's struct sched_attr, which glibc 2.36 does not have (sched_setattr(2)).
struct packhouse_sched_attributes {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime;
  uint64_t deadline;
  uint64_t period;
};

/// Asks for time slices of that length for the calling thread, whose policy and nice value stay; 0 on success.
/// Linux heeds it from 6.12 on, and ignores it before.
static inline int packhouse_request_slice(uint64_t nanoseconds) {
  struct packhouse_sched_attributes attributes;
  memset(&attributes, 0, sizeof attributes);
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return -1;
  // SCHED_OTHER: whoever gave the process another policy has his reasons.
  if (attributes.policy != 0) return 0;
  attributes.size = sizeof attributes;
  attributes.runtime = nanoseconds;
  return (int)syscall(SYS_sched_setattr, 0, &attributes, 0);
}

extern int syncfs(int);

static inline int packhouse_syncfs(int fd) { return syncfs(fd); }

extern int pthread_setname_np(pthread_t, const char *);

/// 1 for an interface that is up and leads to other machines.
static inline int packhouse_is_reachable_interface(unsigned int flags) {
  return (flags & IFF_UP) != 0 && (flags & IFF_RUNNING) != 0 && (flags & IFF_LOOPBACK) == 0;
}

static inline int packhouse_inotify(void) { return inotify_init1(IN_NONBLOCK | IN_CLOEXEC); }

/// Watches what happens to the files in a folder; the watch's number, or -1.
static inline int packhouse_watch_folder(int queue, const char *path) {
  return inotify_add_watch(
    queue, path,
    IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ATTRIB | IN_ONLYDIR);
}

/// A file was written to and is still open.
static inline uint32_t packhouse_written_mask(void) { return IN_MODIFY; }
/// A file that was open for writing was closed.
static inline uint32_t packhouse_closed_mask(void) { return IN_CLOSE_WRITE; }
/// A file is whole, or gone.
static inline uint32_t packhouse_finished_mask(void) { return IN_CLOSE_WRITE | IN_MOVED_FROM | IN_DELETE; }
