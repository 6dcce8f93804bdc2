/* Appends records to the log of a run's processes. The files in this folder form one translation unit, in the order
 * given in ../ending.rs. `trend-prof build` links it into programs and shared libraries.
 *
 * Everything that runs when a process ends is async-signal-safe, because SIGTERM often arrives inside malloc. Memory
 * comes from mmap. A record is one write to a file opened for appending, so that records of several processes do not
 * mix.
 *
 *   record:  magic  kind and round  pid  token  length  body  seal         (32 bytes, body, 8 bytes; in this machine's byte order)
 *   entry:   format  path length  data length  path  data        (16 bytes, path, data; a body is a row of entries)
 *
 * The seal is last. A record without it is truncated.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The environment variable that names the log. Without it, nothing here has an effect. */
#define VARIABLE "TREND_PROF_COUNTS"

#define MAGIC 0x31676f6c50541a89ULL /* "\x89\x1aTPlog1" */

enum kind {
    BEGIN = 1,  /* a process began, or a child after fork */
    PART = 2,   /* counts of a process that goes on */
    END = 3,    /* the last counts of a process */
    CANCEL = 4, /* exec failed: the record of this round is void */
};

/* Number of bits for a record's kind. The bits above have the round in which it was written. */
#define KIND_BITS 8

enum format { GCDA = 1, PROFRAW = 2 };

struct header {
    uint64_t magic;
    uint32_t kind;
    uint32_t pid;
    uint64_t token;
    uint64_t length;
};

struct entry {
    uint32_t format;
    uint32_t path_length;
    uint64_t data_length;
};

/* A growing array of bytes. */
struct buffer {
    char *bytes;
    size_t length;
    size_t room;
};

/* A writer of counters: a copy of this object, in the program or in a shared library. */
struct module {
    struct module *next;
    struct process *own;
    struct process **process;
    int state;
    int round;       /* the round in which it last wrote */
    int was_written; /* the mark that `set_written` replaced */
    int (*emit)(struct buffer *, int skips_zeros);
    void (*reset)(void);
    int (*set_written)(int);
};

enum { IDLE, WRITING, WRITTEN };

/* State that all copies share. It is in the first module that has a copy. */
struct process {
    int state;
    int is_child; /* after fork; its parent writes the objects in which the child counted nothing */
    void (*start)(void);
    void (*adopt)(void);
    struct module *modules;
    pid_t pid;
    uint64_t token;
    char *alive; /* a page that the kernel clears in every child with its own memory */
    int round;
    int log; /* kept open: the program may change its root or its user */
    dev_t device;
    ino_t inode;
    void (*on_fatal)(int, siginfo_t *, void *);
    void (*on_once)(int, siginfo_t *, void *);
    struct sigaction *once; /* by signal: handlers of the program that are called once */
    char *path;
};

enum { NEW, OFF, ON };

static struct process own __asm__("trend_prof_process") __attribute__((used));
static struct process *process;

/* Extends the buffer by `more` bytes and returns their address; NULL if there is no memory. */
static char *extend(struct buffer *b, size_t more) {
    size_t wanted = b->length + more;
    if (wanted > b->room) {
        size_t room = b->room ? b->room : 1 << 16;
        while (room < wanted)
            room *= 2;
        void *bytes = b->bytes ? mremap(b->bytes, b->room, room, MREMAP_MAYMOVE)
                               : mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (bytes == MAP_FAILED)
            return NULL;
        b->bytes = bytes;
        b->room = room;
    }
    char *at = b->bytes + b->length;
    b->length = wanted;
    return at;
}

static int put(struct buffer *b, const void *bytes, size_t length) {
    char *at = extend(b, length);
    if (!at)
        return 0;
    memcpy(at, bytes, length);
    return 1;
}

static int put_word(struct buffer *b, uint32_t word) { return put(b, &word, sizeof word); }

static int is_log(int fd) {
    struct stat s;
    return fd >= 0 && fstat(fd, &s) == 0 && s.st_dev == process->device && s.st_ino == process->inode;
}

/* The mode bit of a log to which a record could not be appended. Setting it takes no space on a full disk. */
#define IS_INCOMPLETE S_ISVTX

/* Set as well if the cause is a limit on the size of files that the program has. */
#define IS_LIMITED S_ISUID

/* Appends in one write to the file that was opened at the start. If the program closed that file, opens the log again
 * by its path. Returns 0 if the runtimes may do better: under a limit on the size of files, they cannot write either, and
 * would end the program. */
static int append(const char *bytes, size_t length) {
    int fd = process->log, opened = -1, is_limited;
    if (!is_log(fd)) {
        fd = opened = open_file(process->path, O_WRONLY | O_APPEND | O_CLOEXEC);
        if (fd < 0)
            return 0;
    }
    int is_whole = write_despite_limit(fd, bytes, length, AT_END, &is_limited) == (ssize_t)length;
    if (!is_whole)
        fchmod(fd, 0666 | IS_INCOMPLETE | (is_limited ? IS_LIMITED : 0));
    if (opened >= 0)
        close_file(opened);
    return is_whole || is_limited;
}

/* Fills in the header that `b` begins with, seals the record and appends it. */
static int append_record(struct buffer *b, enum kind kind, int round) {
    struct header h = {MAGIC, kind | (uint32_t)round << KIND_BITS, (uint32_t)process->pid, process->token, b->length - sizeof h};
    uint64_t seal = h.magic ^ h.token ^ h.length;
    if (!put(b, &seal, sizeof seal))
        return 0;
    memcpy(b->bytes, &h, sizeof h);
    return append(b->bytes, b->length);
}

/* Appends a record without a body. */
static int append_mark(enum kind kind, int round) {
    char bytes[sizeof(struct header) + 8];
    struct buffer b = {bytes, sizeof(struct header), sizeof bytes};
    return append_record(&b, kind, round);
}

/* Opens the log with a high descriptor, away from those that the program opens and expects. */
static int open_log(void) {
    struct stat s;
    int fd = open_file(process->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &s) != 0)
        return 0;
    process->device = s.st_dev;
    process->inode = s.st_ino;
    process->log = -1;
    for (int least = 1000; least >= 60 && process->log < 0; least /= 2)
        process->log = (int)kernel(SYS_fcntl, fd, F_DUPFD_CLOEXEC, least, 0);
    close_file(fd);
    return 1;
}

/* Begins an entry whose data follow. `end_entry` fills in their length. */
static int begin_entry(struct buffer *b, enum format format, const char *path) {
    struct entry e = {format, (uint32_t)strlen(path), 0};
    return put(b, &e, sizeof e) && put(b, path, e.path_length);
}

static void end_entry(struct buffer *b, size_t begin) {
    struct entry e;
    memcpy(&e, b->bytes + begin, sizeof e);
    e.data_length = b->length - begin - sizeof e - e.path_length;
    memcpy(b->bytes + begin, &e, sizeof e);
}
