/* Records a process's memory in a file that it maps, so that the record survives however the process ends. The files in
 * this folder form one translation unit, in the order given in ../memory.rs. `run --memory-by-line` loads it before the
 * C library of the programs that it runs (LD_PRELOAD).
 *
 * Nothing here allocates, and errno is preserved. With several threads each number is exact, except for the amounts at
 * the peak: these may be off by what other threads were asking for at that moment.
 *
 *   file:  header, padded to a site's size · sites          (in this machine's byte order)
 *
 * The first site stands for allocations that none of the program's own code asked for.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Environment variables: the folder for records, and the file that lists the program's own code. */
#define FOLDER "TREND_PROF_MEMORY"
#define OWN_CODE "TREND_PROF_OWN_CODE"

#define MAGIC 0x316d656d50541a89ULL /* "\x89\x1aTPmem1" */

enum flag {
    IS_FULL = 1,      /* lines were left out: there were too many, or the disk is full */
    IS_UNTRACKED = 2, /* allocations were left out: there was no memory to note them in */
};

struct header {
    uint64_t magic;
    uint32_t pid;
    uint32_t flags;
    uint64_t live; /* bytes that are allocated now */
    uint64_t peak; /* the maximum of live */
    uint64_t peaks; /* the number of new peaks so far */
    uint32_t sites;
    uint32_t lock; /* held while a site is added */
    uint64_t unused[2];
};

/* A call site in the program's own code that allocates memory. */
struct site {
    uint32_t module; /* its index in the file of own code */
    uint32_t lock;
    uint64_t address; /* in that module; the byte before the return address */
    uint64_t calls;
    uint64_t bytes; /* asked for by all calls */
    uint64_t live;
    uint64_t most; /* the maximum of live */
    uint64_t at_peak; /* live when the peak number `peak` was reached */
    uint64_t peak;
};

_Static_assert(sizeof(struct header) == 64 && sizeof(struct site) == 64, "the file's layout");

#define MOST_SITES ((1u << 16) - 1)
#define NOBODY UINT32_MAX /* no site: code that keeps counters asked */
#define CHUNK (64u << 10) /* the step in which the file grows */
#define CHILD_CHUNK 4096  /* the same in a child of fork: servers have thousands, which do little each */
#define FILE_BYTES (sizeof(struct header) + MOST_SITES * sizeof(struct site))

/* State that is zero again in a child of fork. */
struct process {
    int state;
    int lock; /* held while recording starts */
};

enum { NEW, OFF, ON };

static struct process nobody;
static struct process *process = &nobody;
static struct header *record;
static struct site *sites;
static int file = -1;
static dev_t device;
static ino_t inode;
static char folder[PATH_MAX];
static size_t room; /* the file's length in bytes */
static size_t chunk = CHUNK;

extern char __libc_single_threaded __attribute__((weak));
extern char *secure_getenv(const char *) __attribute__((weak));

#define FAST static inline __attribute__((always_inline))

FAST int is_single(void) { return &__libc_single_threaded && __libc_single_threaded; }

/* ---- a lock with a limited wait: a signal handler may have interrupted its holder ---- */

static int locked(uint32_t *lock) {
    for (int tries = 0; tries < 100000; tries++) {
        if (!__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
            return 1;
        if (tries > 100)
            sched_yield();
    }
    return 0;
}

static void unlock(uint32_t *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }

/* ---- the file ---- */

/* True if the descriptor is still the record's. The program may have closed it and opened another file under its
 * number. */
static int is_ours(void) {
    struct stat s;
    return fstat(file, &s) == 0 && s.st_dev == device && s.st_ino == inode;
}

/* Grows the file. Writes zeros, so that the disk has room before the memory is used. */
static int grow(void) {
    static const char zeros[4096];
    if (!is_ours())
        return 0;
    for (size_t end = room + chunk; room < end && room < FILE_BYTES;) {
        size_t some = FILE_BYTES - room < sizeof zeros ? FILE_BYTES - room : sizeof zeros;
        int is_limited;
        ssize_t written = write_despite_limit(file, zeros, some, room, &is_limited);
        if (written <= 0)
            return 0;
        room += written;
    }
    return 1;
}

static char *put_number(char *at, unsigned long number) {
    char digits[24], *digit = digits + sizeof digits;
    do
        *--digit = '0' + number % 10;
    while (number /= 10);
    size_t length = digits + sizeof digits - digit;
    memcpy(at, digit, length);
    return at + length;
}

/* Creates a file for this process alone. The name has a serial number, because process ids are reused. */
static int create(void) {
    char path[PATH_MAX];
    size_t length = strlen(folder);
    if (folder[0] != '/' || length > sizeof path - 64)
        return -1;
    memcpy(path, folder, length);
    path[length] = '/';
    char *name = put_number(path + length + 1, process_id());
    *name++ = '-';
    for (unsigned serial = 0; serial < 10000; serial++) {
        strcpy(put_number(name, serial), ".trend-memory");
        int fd = open_file(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* Maps a new file. The mapping outlives the descriptor: if a program closes all descriptors, it only gets no more
 * sites. */
static int open_record(void) {
    struct stat s;
    int fd = create(), high;
    if (fd < 0 || fstat(fd, &s) != 0)
        return 0;
    device = s.st_dev;
    inode = s.st_ino;
    high = (int)kernel(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 500, 0);
    file = high < 0 ? fd : high;
    if (high >= 0)
        close_file(fd);
    room = 0;
    if (!grow())
        return 0; /* an empty or short file says that the disk is full */
    void *bytes = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED)
        return 0;
    record = bytes;
    sites = (struct site *)(record + 1);
    record->pid = process_id();
    record->sites = 1;
    record->magic = MAGIC;
    return 1;
}

/* ---- the program's own code, listed in a file that the tool writes ---- */

#define OWN_MAGIC 0x316e776f50541a89ULL /* "\x89\x1aTPown1" */

struct own_header {
    uint64_t magic;
    uint64_t modules;
};

struct own_module {
    uint64_t device;
    uint64_t inode;
    uint64_t first; /* the index of its first range */
    uint64_t count;
};

enum own { FOREIGN, ASKS, HANDS_ON, COUNTS };

struct own_range {
    uint64_t start;
    uint32_t length;
    uint32_t own;
};

static const struct own_module *modules;
static const struct own_range *ranges;
static uint64_t module_count;

static int map_own_code(const char *path) {
    struct stat s;
    int fd = open_file(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    const struct own_header *own = MAP_FAILED;
    if (fstat(fd, &s) == 0 && s.st_size >= (off_t)sizeof *own)
        own = mmap(NULL, s.st_size, PROT_READ, MAP_SHARED, fd, 0);
    close_file(fd);
    if (own == MAP_FAILED || own->magic != OWN_MAGIC)
        return 0;
    modules = (const void *)(own + 1);
    module_count = own->modules;
    ranges = (const void *)(modules + module_count);
    return 1;
}

static enum own own_at(const struct own_module *module, uint64_t address) {
    uint64_t low = 0, high = module->count;
    const struct own_range *all = ranges + module->first;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (address < all[middle].start)
            high = middle;
        else if (address - all[middle].start < all[middle].length)
            return all[middle].own;
        else
            low = middle + 1;
    }
    return FOREIGN;
}

/* ---- places in the code that allocate; a child of fork inherits them ---- */

struct place {
    uint64_t address; /* in its module */
    uint32_t module;
};

#define PLACE_SLOTS (2u << 16)

static struct place *places;    /* [MOST_SITES]; the first one is no place */
static uint32_t *place_index;   /* [PLACE_SLOTS], by module and address; 0 is a free slot */
static uint32_t place_count = 1;
static uint32_t place_lock;

static uint64_t mixed(uint64_t key) { return key * 0x9e3779b97f4a7c15ULL; }

/* Returns the number of a place; 0 if there are too many. */
static uint32_t place_at(uint32_t module, uint64_t address) {
    if (!locked(&place_lock))
        return 0;
    uint32_t found = 0;
    for (uint64_t slot = mixed(address ^ (uint64_t)module << 48) >> 40;; slot++) {
        uint32_t *known = &place_index[slot % PLACE_SLOTS];
        if (*known && (places[*known].module != module || places[*known].address != address))
            continue;
        if (!*known && place_count < MOST_SITES) {
            places[place_count] = (struct place){address, module};
            *known = place_count++;
        }
        found = *known;
        break;
    }
    unlock(&place_lock);
    if (!found)
        record->flags |= IS_FULL;
    return found;
}

/* ---- sites: the places that allocated in this process ---- */

static uint32_t *site_numbers; /* [MOST_SITES], by place; 0 is none yet. Zero again in a child of fork */

static __attribute__((noinline)) uint32_t new_site(uint32_t place) {
    if (record->flags & IS_FULL || !locked(&record->lock))
        return 0;
    uint32_t next = record->sites;
    int error = errno;
    if (!site_numbers[place]) {
        if (sizeof *record + (next + 1) * sizeof *sites <= room || grow()) {
            sites[next].module = places[place].module;
            sites[next].address = places[place].address;
            record->sites++;
            __atomic_store_n(&site_numbers[place], next, __ATOMIC_RELEASE);
        } else {
            record->flags |= IS_FULL;
        }
    }
    unlock(&record->lock);
    errno = error;
    return site_numbers[place];
}

/* Returns the site of a place; the first site if there is no room, or no place. */
FAST uint32_t site_of(uint32_t place) {
    uint32_t site = __atomic_load_n(&site_numbers[place], __ATOMIC_ACQUIRE);
    return __builtin_expect(!site && place, 0) ? new_site(place) : site;
}

/* ---- counting ---- */

/* Updates the amount at the latest peak before a change. If there was a peak since the last change, the site held its
 * present amount then. */
FAST void note_peak(struct site *site, uint64_t peaks) {
    if (site->peak < peaks) {
        site->at_peak = site->live;
        site->peak = peaks;
    }
}

FAST void add_to(struct site *site, uint64_t bytes, uint64_t peaks) {
    note_peak(site, peaks);
    site->calls++;
    site->bytes += bytes;
    site->live += bytes;
    if (site->live > site->most)
        site->most = site->live;
}

static __attribute__((noinline)) void count_shared(struct site *site, uint64_t bytes) {
    if (locked(&site->lock)) {
        add_to(site, bytes, __atomic_load_n(&record->peaks, __ATOMIC_RELAXED));
        unlock(&site->lock);
    }
    uint64_t live = __atomic_add_fetch(&record->live, bytes, __ATOMIC_RELAXED);
    uint64_t peak = __atomic_load_n(&record->peak, __ATOMIC_RELAXED);
    while (live > peak && (int64_t)live > 0)
        if (__atomic_compare_exchange_n(&record->peak, &peak, live, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            __atomic_add_fetch(&record->peaks, 1, __ATOMIC_RELAXED);
            break;
        }
}

FAST void count(uint32_t number, uint64_t bytes) {
    struct site *site = &sites[number];
    if (!is_single()) {
        count_shared(site, bytes);
        return;
    }
    add_to(site, bytes, record->peaks);
    if ((record->live += bytes) > record->peak) {
        record->peak = record->live;
        record->peaks++;
    }
}

static __attribute__((noinline)) void uncount_shared(struct site *site, uint64_t bytes) {
    if (locked(&site->lock)) {
        note_peak(site, __atomic_load_n(&record->peaks, __ATOMIC_RELAXED));
        site->live -= bytes;
        unlock(&site->lock);
    }
    __atomic_sub_fetch(&record->live, bytes, __ATOMIC_RELAXED);
}

FAST void uncount(uint32_t number, uint64_t bytes) {
    struct site *site = &sites[number];
    if (!is_single()) {
        uncount_shared(site, bytes);
        return;
    }
    note_peak(site, record->peaks);
    site->live -= bytes;
    record->live -= bytes;
}

/* ---- notes of pointers: one for every 16 bytes of memory in which something was allocated ---- */

#define GRANULE_BITS 4
#define REGION_BITS 24
#define MIDDLE_BITS 12
#define TOP_BITS 11 /* addresses have 47 bits */
#define REGION_BYTES (((size_t)1 << (REGION_BITS - GRANULE_BITS)) * sizeof(uint32_t))
#define MIDDLE_BYTES (((size_t)1 << MIDDLE_BITS) * sizeof(uint32_t *))

/* A note has the site's number plus 1 (16 bits) and the size (16 bits). If the size does not fit, it is LARGE, and the
 * size itself is in the notes of the next two granules, where no other pointer can be. */
#define LARGE 0xffff
#define GRANULE (1 << GRANULE_BITS)

static uint32_t **top[1 << TOP_BITS];

/* Maps zeroed memory and stores it at `place`, unless another thread does so first. Children of fork find it zeroed
 * again. Large pages are no gain: the kernel takes longer to find them than the page faults that they save. */
static void *installed(void **place, size_t bytes) {
    void *new = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0), *old = NULL;
    if (new == MAP_FAILED)
        return NULL;
    if (madvise(new, bytes, MADV_WIPEONFORK) == 0 &&
        __atomic_compare_exchange_n(place, &old, new, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return new;
    munmap(new, bytes);
    return old;
}

/* Returns the note of a pointer; NULL if nothing was allocated near it. */
FAST uint32_t *note_of(const void *pointer) {
    uint64_t at = (uintptr_t)pointer;
    if (at >> (REGION_BITS + MIDDLE_BITS + TOP_BITS))
        return NULL;
    uint32_t **regions = __atomic_load_n(&top[at >> (REGION_BITS + MIDDLE_BITS)], __ATOMIC_ACQUIRE);
    if (!regions)
        return NULL;
    uint32_t *notes = __atomic_load_n(&regions[at >> REGION_BITS & ((1 << MIDDLE_BITS) - 1)], __ATOMIC_ACQUIRE);
    return notes ? &notes[(at & ((1 << REGION_BITS) - 1)) >> GRANULE_BITS] : NULL;
}

/* Returns the note of a pointer and creates it if needed; NULL if there is no memory for it. */
static __attribute__((noinline)) uint32_t *new_note_of(const void *pointer) {
    uint64_t at = (uintptr_t)pointer;
    if (at >> (REGION_BITS + MIDDLE_BITS + TOP_BITS))
        return NULL;
    int error = errno;
    uint32_t ***middle = &top[at >> (REGION_BITS + MIDDLE_BITS)];
    uint32_t **regions = *middle ? *middle : installed((void **)middle, MIDDLE_BYTES);
    uint32_t **place = regions ? &regions[at >> REGION_BITS & ((1 << MIDDLE_BITS) - 1)] : NULL;
    uint32_t *note = place && (*place || installed((void **)place, REGION_BYTES)) ? note_of(pointer) : NULL;
    errno = error;
    return note;
}

static __attribute__((noinline)) int note_large(const char *pointer, uint64_t bytes) {
    uint32_t *low = new_note_of(pointer + GRANULE), *high = new_note_of(pointer + 2 * GRANULE);
    if (!low || !high)
        return 0;
    *low = bytes;
    *high = bytes >> 32;
    return 1;
}

static __attribute__((noinline)) uint64_t take_large(const char *pointer) {
    uint32_t *low = note_of(pointer + GRANULE), *high = note_of(pointer + 2 * GRANULE);
    uint64_t bytes = (uint64_t)*high << 32 | *low;
    *low = *high = 0;
    return bytes;
}

/* The content of an allocation's note. */
struct noted {
    uint32_t site; /* NOBODY if there is no note */
    uint64_t bytes;
};

FAST int write_note(const void *pointer, struct noted noted) {
    uint32_t *note = note_of(pointer);
    if (__builtin_expect(!note, 0) && !(note = new_note_of(pointer)))
        return 0;
    int is_large = noted.bytes >= LARGE;
    if (__builtin_expect(is_large, 0) && !note_large(pointer, noted.bytes))
        return 0;
    *note = (noted.site + 1) << 16 | (is_large ? LARGE : noted.bytes);
    return 1;
}

/* Notes an allocation, unless the counters' own code asked for it. */
FAST void note(const void *pointer, uint64_t bytes, uint32_t place) {
    if (__builtin_expect(place == NOBODY, 0))
        return;
    uint32_t site = site_of(place);
    if (write_note(pointer, (struct noted){site, bytes}))
        count(site, bytes);
    else
        record->flags |= IS_UNTRACKED;
}

FAST int is_noted(const void *pointer) {
    const uint32_t *note = note_of(pointer);
    return note && *note;
}

/* Removes and returns the note of an allocation. */
FAST struct noted take(const void *pointer) {
    uint32_t *note = note_of(pointer), value;
    if (!note || !(value = *note))
        return (struct noted){NOBODY};
    *note = 0;
    uint32_t size = value & LARGE;
    return (struct noted){(value >> 16) - 1, __builtin_expect(size == LARGE, 0) ? take_large(pointer) : size};
}

FAST void forget(struct noted noted) { uncount(noted.site, noted.bytes); }
