/* Writes to the files of the tool although the program may have lowered its limit on the size of files. It is part of two
 * translation units: ending/log.c, and run/memory/record.c. A program may have a function `write` or `getpid` of its own,
 * so the kernel is called directly, and not by syscall(2): a program that refers to it is taken for one that starts threads. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Calls the kernel. Returns -1 and sets errno on failure. */
static long kernel(long number, long first, long second, long third, long fourth) {
#ifdef __x86_64__
    register long last __asm__("r10") = fourth;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(first), "S"(second), "d"(third), "r"(last)
                     : "rcx", "r11", "memory");
    if (result >= 0 || result < -4095)
        return result;
    errno = (int)-result;
    return -1;
#else
    return syscall(number, first, second, third, fourth);
#endif
}

/* Opens and closes files without the functions of that name, which the program may have replaced by others. */
static int open_file(const char *path, int flags) {
    return (int)kernel(SYS_openat, AT_FDCWD, (long)path, flags, 0666);
}

static void close_file(int fd) {
    kernel(SYS_close, fd, 0, 0, 0);
}

/* Returns the id of this process. */
static pid_t process_id(void) { return (pid_t)kernel(SYS_getpid, 0, 0, 0, 0); }

/* The offset of a file that was opened for appending. */
#define AT_END -1

/* Writes at an offset. Raises the limit on the size of files (RLIMIT_FSIZE) as far as every process may, and puts it back.
 * If that is not enough, `is_limited` is set. The kernel's SIGXFSZ for it does not reach the program, which would end by
 * it. */
static ssize_t write_despite_limit(int fd, const char *bytes, size_t length, off_t at, int *is_limited) {
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    sigset_t too_large, before, pending;
    sigemptyset(&too_large);
    sigaddset(&too_large, SIGXFSZ);
    sigprocmask(SIG_BLOCK, &too_large, &before);
    sigpending(&pending);
    getrlimit(RLIMIT_FSIZE, &limit);
    int is_lower = limit.rlim_cur != limit.rlim_max;
    if (is_lower)
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit.rlim_max, limit.rlim_max});
    ssize_t written;
    do
        written = at == AT_END ? kernel(SYS_write, fd, (long)bytes, (long)length, 0)
                               : kernel(SYS_pwrite64, fd, (long)bytes, (long)length, at);
    while (written < 0 && errno == EINTR);
    /* A write up to the limit is cut off there. */
    *is_limited = written < 0 ? errno == EFBIG : written < (ssize_t)length && limit.rlim_max != RLIM_INFINITY;
    if (written < 0 && *is_limited && !sigismember(&pending, SIGXFSZ))
        sigtimedwait(&too_large, NULL, &(struct timespec){0, 0});
    if (is_lower)
        setrlimit(RLIMIT_FSIZE, &limit);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return written;
}
