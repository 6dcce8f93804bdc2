/* Finds the code that asked for an allocation. Walks from the return address outwards to the first address in the
 * program's own code, with the tables that compilers write for exceptions (.eh_frame). The rule for each address is
 * kept, so that a frame takes a few nanoseconds. If a function only hands on memory that it got (it returns `void *`),
 * its caller is the code that asked.
 */

/* The step to take at a return address. */
struct rule {
    uint32_t place;
    uint8_t own;      /* enum own */
    uint8_t is_end;   /* the caller's frame is unknown */
    uint8_t from_bp;  /* the frame begins at bp + cfa, else at sp + cfa */
    uint8_t saves_bp; /* the caller's bp is at the frame's beginning + bp */
    int32_t cfa;
    int32_t bp;
};

struct reader {
    const uint8_t *at, *end;
};

static uint64_t number(struct reader *r, unsigned bytes) {
    uint64_t value = 0;
    if ((size_t)(r->end - r->at) < bytes) {
        r->at = r->end;
        return 0;
    }
    memcpy(&value, r->at, bytes);
    r->at += bytes;
    return value;
}

static uint64_t uleb(struct reader *r) {
    uint64_t value = 0;
    for (unsigned shift = 0; r->at < r->end; shift += 7) {
        uint8_t byte = *r->at++;
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            break;
    }
    return value;
}

static int64_t sleb(struct reader *r) {
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte = 0;
    while (r->at < r->end) {
        byte = *r->at++;
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
        if (!(byte & 0x80))
            break;
    }
    return byte & 0x40 && shift < 64 ? (int64_t)(value | ~0ULL << shift) : (int64_t)value;
}

static void skip(struct reader *r, uint64_t bytes) { r->at += bytes < (uint64_t)(r->end - r->at) ? bytes : (uint64_t)(r->end - r->at); }

/* Returns the size of an encoded pointer in bytes; 0 if unknown. */
static unsigned pointer_bytes(uint8_t encoding) {
    switch (encoding & 0x0f) {
    case 0x00: case 0x04: case 0x0c: return 8;
    case 0x02: case 0x0a: return 2;
    case 0x03: case 0x0b: return 4;
    default: return 0;
    }
}

enum { BP = 6, SP = 7, RETURN = 16 };

/* The registers at an address, as a row of the table that the call frame instructions describe. */
struct row {
    uint64_t cfa_register;
    int64_t cfa;
    int is_expression;
    int bp_is;     /* SAME, SAVED or UNKNOWN */
    int return_is; /* likewise */
    int64_t bp;
    int64_t return_at;
};

enum { SAME, SAVED, UNKNOWN };

struct entry {
    uint64_t code_align;
    int64_t data_align;
};

static void set_register(struct row *row, uint64_t which, int is, int64_t at) {
    if (which == BP) {
        row->bp_is = is;
        row->bp = at;
    } else if (which == RETURN) {
        row->return_is = is;
        row->return_at = at;
    }
}

static void restore_register(struct row *row, const struct row *first, uint64_t which) {
    if (which == BP)
        set_register(row, BP, first->bp_is, first->bp);
    else if (which == RETURN)
        set_register(row, RETURN, first->return_is, first->return_at);
}

#define MOST_REMEMBERED 8

/* Runs call frame instructions up to an offset in the function. Returns 0 if one is unknown. */
static int run(struct reader r, const struct entry *e, uint64_t until, struct row *row, const struct row *first) {
    struct row remembered[MOST_REMEMBERED];
    unsigned depth = 0;
    uint64_t at = 0, which;
    while (r.at < r.end) {
        uint8_t code = *r.at++;
        switch (code >> 6) {
        case 1:
            if ((at += (code & 0x3f) * e->code_align) > until)
                return 1;
            continue;
        case 2: set_register(row, code & 0x3f, SAVED, (int64_t)uleb(&r) * e->data_align); continue;
        case 3: restore_register(row, first, code & 0x3f); continue;
        }
        switch (code) {
        case 0x00: break;
        case 0x02: case 0x03: case 0x04:
            if ((at += number(&r, 1 << (code - 2)) * e->code_align) > until)
                return 1;
            break;
        case 0x05: which = uleb(&r); set_register(row, which, SAVED, (int64_t)uleb(&r) * e->data_align); break;
        case 0x06: restore_register(row, first, uleb(&r)); break;
        case 0x07: set_register(row, uleb(&r), UNKNOWN, 0); break;
        case 0x08: set_register(row, uleb(&r), SAME, 0); break;
        case 0x09: set_register(row, uleb(&r), UNKNOWN, 0); uleb(&r); break;
        case 0x0a:
            if (depth == MOST_REMEMBERED)
                return 0;
            remembered[depth++] = *row;
            break;
        case 0x0b:
            if (depth == 0)
                return 0;
            *row = remembered[--depth];
            break;
        case 0x0c: row->cfa_register = uleb(&r); row->cfa = uleb(&r); row->is_expression = 0; break;
        case 0x0d: row->cfa_register = uleb(&r); row->is_expression = 0; break;
        case 0x0e: row->cfa = uleb(&r); break;
        case 0x0f: skip(&r, uleb(&r)); row->is_expression = 1; break;
        case 0x10: case 0x16: set_register(row, uleb(&r), UNKNOWN, 0); skip(&r, uleb(&r)); break;
        case 0x11: which = uleb(&r); set_register(row, which, SAVED, sleb(&r) * e->data_align); break;
        case 0x12: row->cfa_register = uleb(&r); row->cfa = sleb(&r) * e->data_align; row->is_expression = 0; break;
        case 0x13: row->cfa = sleb(&r) * e->data_align; break;
        case 0x14: case 0x15: set_register(row, uleb(&r), UNKNOWN, 0); uleb(&r); break;
        case 0x2e: uleb(&r); break;
        default: return 0;
        }
    }
    return 1;
}

/* Returns the bytes of a record of .eh_frame, after its length. */
static struct reader record_at(const uint8_t *at) {
    uint64_t length = 0;
    memcpy(&length, at, 4);
    at += 4;
    if (length == 0xffffffff) {
        memcpy(&length, at, 8);
        at += 8;
    }
    return (struct reader){at, at + length};
}

/* Finds the rule of an address in the function that this record describes. */
static int read_frame(const uint8_t *fde, uint64_t begin, uint64_t address, struct rule *rule) {
    struct reader f = record_at(fde);
    const uint8_t *pointer = f.at;
    uint32_t distance = number(&f, 4);
    if (!distance)
        return 0;
    struct reader c = record_at(pointer - distance);
    if (number(&c, 4) != 0)
        return 0;
    uint8_t version = number(&c, 1), encoding = 0, skipped = 0;
    const char *augmentation = (const char *)c.at;
    skip(&c, strlen(augmentation) + 1);
    if ((version != 1 && version != 3) || (augmentation[0] && augmentation[0] != 'z'))
        return 0;
    struct entry e;
    e.code_align = uleb(&c);
    e.data_align = sleb(&c);
    if ((version == 1 ? number(&c, 1) : uleb(&c)) != RETURN)
        return 0;
    if (augmentation[0]) {
        uint64_t length = uleb(&c);
        struct reader a = {c.at, c.at};
        skip(&c, length);
        a.end = c.at;
        for (const char *letter = augmentation + 1; *letter; letter++) {
            switch (*letter) {
            case 'R': encoding = number(&a, 1); break;
            case 'P': skipped = number(&a, 1); skip(&a, pointer_bytes(skipped)); break;
            case 'L': number(&a, 1); break;
            default: return 0; /* 'S': a frame of a signal, which begins anywhere */
            }
        }
    }
    unsigned bytes = pointer_bytes(encoding);
    if (!bytes)
        return 0;
    number(&f, bytes);
    if (address - begin >= number(&f, bytes))
        return 0;
    if (augmentation[0])
        skip(&f, uleb(&f));
    struct row row = {.return_is = UNKNOWN}, first;
    if (!run(c, &e, UINT64_MAX, &row, &row))
        return 0;
    first = row;
    if (!run(f, &e, address - begin, &row, &first) || row.is_expression || row.bp_is == UNKNOWN)
        return 0;
    if (row.return_is != SAVED || row.return_at != -8 || (row.cfa_register != SP && row.cfa_register != BP))
        return 0;
    rule->from_bp = row.cfa_register == BP;
    rule->saves_bp = row.bp_is == SAVED;
    rule->cfa = row.cfa;
    rule->bp = row.bp;
    return row.cfa > 0 && row.cfa < INT32_MAX && row.bp > INT32_MIN && row.bp <= 0;
}

/* Finds the rule of an address with .eh_frame_hdr, which has a sorted table of functions and their records. */
static int frame_rule(const uint8_t *header, uint64_t address, struct rule *rule) {
    if (header[0] != 1 || header[2] != 0x03 || header[3] != 0x3b)
        return 0;
    struct reader r = {header + 4, header + 20};
    skip(&r, pointer_bytes(header[1]));
    uint64_t low = 0, high = number(&r, 4);
    const uint8_t *table = r.at;
    int32_t entry[2];
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        memcpy(entry, table + 8 * middle, sizeof entry);
        if (address < (uint64_t)(uintptr_t)(header + entry[0]))
            high = middle;
        else
            low = middle + 1;
    }
    if (low == 0)
        return 0;
    memcpy(entry, table + 8 * (low - 1), sizeof entry);
    return read_frame(header + entry[1], (uintptr_t)(header + entry[0]), address, rule);
}

/* ---- the program or library that contains an address ---- */

struct object {
    uint64_t address;
    uint64_t base;
    const uint8_t *frames;
    const char *name;
    int is_program;
    int number;
};

#ifdef DLFO_STRUCT_HAS_EH_DBASE
/* Takes no lock: a child of fork would wait forever for a lock that another thread held. */
static int find_object(struct object *object) {
    struct dl_find_object found;
    if (_dl_find_object((void *)object->address, &found) != 0)
        return 0;
    object->is_program = !found.dlfo_link_map->l_prev;
    object->base = found.dlfo_link_map->l_addr;
    object->frames = found.dlfo_eh_frame;
    object->name = found.dlfo_link_map->l_name;
    return 1;
}
#else
static int is_in(struct dl_phdr_info *info, size_t size, void *data) {
    struct object *object = data;
    const uint8_t *frames = NULL;
    int contains = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uint64_t at = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD)
            contains |= object->address - at < part->p_memsz;
        else if (part->p_type == PT_GNU_EH_FRAME)
            frames = (const uint8_t *)at;
    }
    object->is_program = object->number++ == 0;
    object->base = info->dlpi_addr;
    object->frames = frames;
    object->name = info->dlpi_name;
    return contains;
}

static int find_object(struct object *object) {
    return dl_iterate_phdr(is_in, object);
}
#endif

/* Returns the index of the object in the modules of own code; -1 if it is not one of them. */
static int module_of(const struct object *object) {
    struct stat s;
    if (stat(object->is_program ? "/proc/self/exe" : object->name, &s) != 0)
        return -1;
    for (uint64_t i = 0; i < module_count; i++)
        if (modules[i].device == s.st_dev && modules[i].inode == s.st_ino)
            return i;
    return -1;
}

static __attribute__((noinline)) struct rule find_rule(uint64_t address) {
    struct rule rule = {0};
    struct object object = {.address = address};
    int error = errno;
    rule.is_end = 1;
    if (find_object(&object)) {
        int module = module_of(&object);
        if (module >= 0)
            rule.own = own_at(&modules[module], address - object.base);
        if (rule.own == ASKS || rule.own == HANDS_ON)
            rule.place = place_at(module, address - object.base);
#ifdef __x86_64__
        if (rule.own != ASKS && object.frames)
            rule.is_end = !frame_rule(object.frames, address, &rule);
#endif
    }
    errno = error;
    return rule;
}

/* ---- known rules: a rule is two words and is checked by its key, so that threads need no lock ---- */

#define RULE_BITS 14

struct known {
    uint64_t key, words[2], unused;
};

union words {
    struct rule rule;
    uint64_t words[2];
};

_Static_assert(sizeof(union words) == 16, "a rule is two words");

/* The number of neighbouring places at which a rule may be. With only one, two addresses in a loop that share a place
 * would be looked up again and again. */
#define PLACES 4

static struct known *rules; /* [2^RULE_BITS] */

static inline uint64_t key_of(uint64_t address, union words w) {
    return address ^ w.words[0] ^ (w.words[1] << 32 | w.words[1] >> 32);
}

FAST union words words_of(const struct known *known) {
    return (union words){.words = {__atomic_load_n(&known->words[0], __ATOMIC_RELAXED),
                                   __atomic_load_n(&known->words[1], __ATOMIC_RELAXED)}};
}

FAST int is_of(const struct known *known, uint64_t address, union words w) {
    return __atomic_load_n(&known->key, __ATOMIC_RELAXED) == key_of(address, w);
}

/* Returns the words of an address that are not at its first place. Finds and stores its rule if it is at no place. */
static __attribute__((noinline)) union words learn(uint64_t first, uint64_t address) {
    struct known *known = &rules[first];
    union words w;
    for (int i = 1; i < PLACES; i++) {
        struct known *other = &rules[first ^ i];
        w = words_of(other);
        if (is_of(other, address, w))
            return w;
        if (__atomic_load_n(&known->key, __ATOMIC_RELAXED) && !__atomic_load_n(&other->key, __ATOMIC_RELAXED))
            known = other;
    }
    w.rule = find_rule(address);
    __atomic_store_n(&known->words[0], w.words[0], __ATOMIC_RELAXED);
    __atomic_store_n(&known->words[1], w.words[1], __ATOMIC_RELAXED);
    __atomic_store_n(&known->key, key_of(address, w), __ATOMIC_RELAXED);
    return w;
}

FAST struct rule rule_of(uint64_t address) {
    uint64_t first = mixed(address) >> (64 - RULE_BITS);
    union words w = words_of(&rules[first]);
    if (__builtin_expect(!is_of(&rules[first], address, w), 0))
        w = learn(first, address);
    return w.rule;
}

#define MOST_FRAMES 200
#define LARGEST_FRAME (256u << 20)

/* A function's own frame, as -fno-omit-frame-pointer lays it out. */
struct frame {
    uint64_t bp, address;
};

/* Returns the place that asked, or NOBODY. `frame` is the frame of a function in calls.c or operators.c. */
FAST uint32_t asked(const struct frame *frame) {
    uint64_t bp = frame->bp, address = frame->address, sp = (uintptr_t)(frame + 1);
    uint32_t handing = 0;
    for (int depth = 0; depth < MOST_FRAMES; depth++) {
        /* Look up the byte before the return address: after a call that does not return, other code may follow. */
        struct rule rule = rule_of(address - 1);
        if (rule.own == ASKS)
            return rule.place;
        if (rule.own == COUNTS)
            return NOBODY;
        if (rule.own == HANDS_ON && !handing)
            handing = rule.place;
        if (rule.is_end)
            break;
        uint64_t begin = (rule.from_bp ? bp : sp) + rule.cfa;
        if (begin <= sp || begin - sp > LARGEST_FRAME || begin & 7)
            break;
        if (rule.saves_bp)
            bp = *(const uint64_t *)(begin + rule.bp);
        address = *(const uint64_t *)(begin - 8);
        sp = begin;
    }
    return handing;
}
