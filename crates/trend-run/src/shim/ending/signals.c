/* Handles signals that end a process: writes the counters, then ends the process by the same signal. The program does
 * not notice: it sees SIG_DFL in place of this handler, and if it sets SIG_DFL, this handler is installed. */

void __real__exit(int) __attribute__((noreturn));
int __real_sigaction(int, const struct sigaction *, struct sigaction *);
void (*__real_signal(int, void (*)(int)))(int);

/* The signals that end a process by default and can be caught. */
static const int fatal[] = {SIGHUP,  SIGINT,    SIGQUIT, SIGILL,    SIGTRAP, SIGABRT, SIGBUS,  SIGFPE,
                            SIGUSR1, SIGSEGV,   SIGUSR2, SIGPIPE,   SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ,
                            SIGPROF, SIGVTALRM, SIGSYS,
#ifdef SIGSTKFLT
                            SIGSTKFLT,
#endif
#ifdef SIGIO
                            SIGIO,
#endif
#ifdef SIGPWR
                            SIGPWR,
#endif
};

#define FATALS (int)(sizeof fatal / sizeof *fatal)

/* Size of the stack for handlers, for when the main thread has used up its own. A stack that the program installs
 * replaces it. */
#define STACK_BYTES (64 << 10)

static int is_fatal(int signal) {
    for (int i = 0; i < FATALS; i++)
        if (fatal[i] == signal)
            return 1;
    return 0;
}

static void on_fatal(int signal, siginfo_t *info, void *context) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigset_t this_one;
    if (process_id() == 1 && info->si_code <= 0)
        return; /* the kernel does not deliver such signals to process 1 unless it handles them */
    write_last();
    __real_sigaction(signal, &standard, NULL);
    /* On return, a faulting instruction faults again, and leaves the core dump that it would have left anyway. */
    int is_fault = signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE;
    if (is_fault && info->si_code > 0)
        return;
    raise(signal);
    sigemptyset(&this_one);
    sigaddset(&this_one, signal);
    sigprocmask(SIG_UNBLOCK, &this_one, NULL);
    __real__exit(128 + signal);
}

static struct sigaction handler(void) {
    struct sigaction a = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    a.sa_sigaction = process->on_fatal;
    sigfillset(&a.sa_mask);
    return a;
}

/* Stands in for a handler that the program wants to be called once. Otherwise the kernel would install SIG_DFL after
 * it. */
static void on_once(int signal, siginfo_t *info, void *context) {
    struct sigaction of_program = process->once[signal], ours = handler();
    __real_sigaction(signal, &ours, NULL);
    if (of_program.sa_flags & SA_SIGINFO)
        of_program.sa_sigaction(signal, info, context);
    else
        of_program.sa_handler(signal);
}

static void watch_signals(void) {
    struct sigaction before;
    stack_t stack = {0};
    process->on_fatal = on_fatal;
    process->on_once = on_once;
    if (sigaltstack(NULL, &stack) == 0 && stack.ss_flags & SS_DISABLE) {
        void *bytes = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (bytes != MAP_FAILED)
            sigaltstack(&(stack_t){.ss_sp = bytes, .ss_size = STACK_BYTES}, NULL);
    }
    struct sigaction ours = handler();
    for (int i = 0; i < FATALS; i++)
        if (__real_sigaction(fatal[i], NULL, &before) == 0 && !(before.sa_flags & SA_SIGINFO) &&
            before.sa_handler == SIG_DFL)
            __real_sigaction(fatal[i], &ours, NULL);
}

/* Removes the handlers before their code is unloaded. */
static void forget_signals(void) {
    struct sigaction now, standard = {.sa_handler = SIG_DFL};
    for (int i = 0; i < FATALS; i++) {
        if (__real_sigaction(fatal[i], NULL, &now) != 0 || !(now.sa_flags & SA_SIGINFO))
            continue;
        if (now.sa_sigaction == on_fatal)
            __real_sigaction(fatal[i], &standard, NULL);
        else if (now.sa_sigaction == on_once)
            __real_sigaction(fatal[i], &process->once[fatal[i]], NULL);
    }
}

int __wrap_sigaction(int signal, const struct sigaction *new, struct sigaction *old) {
    struct sigaction before, ours;
    if (!process || process->state != ON || !is_fatal(signal))
        return __real_sigaction(signal, new, old);
    struct sigaction earlier = process->once[signal];
    if (new && !(new->sa_flags & SA_SIGINFO) && new->sa_handler == SIG_DFL) {
        ours = handler();
    } else if (new && new->sa_flags & SA_RESETHAND && new->sa_handler != SIG_IGN) {
        process->once[signal] = ours = *new;
        ours.sa_flags = (new->sa_flags & ~SA_RESETHAND) | SA_SIGINFO;
        ours.sa_sigaction = process->on_once;
    } else if (new) {
        ours = *new;
    }
    int result = __real_sigaction(signal, new ? &ours : NULL, &before);
    if (result == 0 && old) {
        *old = before;
        if (before.sa_flags & SA_SIGINFO && before.sa_sigaction == process->on_fatal)
            *old = (struct sigaction){.sa_handler = SIG_DFL};
        else if (before.sa_flags & SA_SIGINFO && before.sa_sigaction == process->on_once)
            *old = earlier;
    }
    return result;
}

static void (*set_handler(int signal, void (*new)(int), int flags))(int) {
    struct sigaction a = {.sa_handler = new, .sa_flags = flags}, old;
    return __wrap_sigaction(signal, &a, &old) == 0 ? old.sa_handler : SIG_ERR;
}

void (*__wrap_signal(int signal, void (*new)(int)))(int) {
    if (!process || process->state != ON || !is_fatal(signal))
        return __real_signal(signal, new);
    /* The C library's own function respects `siginterrupt`. */
    struct sigaction before, earlier = process->once[signal];
    if (new == SIG_DFL)
        return set_handler(signal, new, SA_RESTART);
    __real_sigaction(signal, NULL, &before);
    void (*old)(int) = __real_signal(signal, new);
    if (old != SIG_ERR && before.sa_flags & SA_SIGINFO) {
        if (before.sa_sigaction == process->on_fatal)
            return SIG_DFL;
        if (before.sa_sigaction == process->on_once)
            return earlier.sa_handler;
    }
    return old;
}

/* The `signal` of programs that ask for standard C only. Its handlers are called once. */
void (*__wrap___sysv_signal(int signal, void (*new)(int)))(int) {
    return set_handler(signal, new, SA_RESETHAND | SA_NODEFER);
}
