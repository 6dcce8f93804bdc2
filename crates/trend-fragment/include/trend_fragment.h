/* Times fragments of code for `trend-prof calibrate`. C99 or C++11 with POSIX: `-std=gnu99`, or `-D_POSIX_C_SOURCE=200809L`.
 * Licence: MIT OR Apache-2.0.
 *
 *     #include "trend_fragment.h"
 *
 *     static void sift(trend_run *run) {
 *         heap *h = heap_of(run->elements);                       // not timed
 *         while (trend_begin(run)) {
 *             for (uint64_t r = 0; r < run->repetitions; r++)
 *                 heap_sift(h, 1);                                // the fragment
 *             trend_end(run, run->repetitions);                   // how often it was executed
 *         }
 *         trend_black_hole(h);
 *     }
 *
 *     int main(int argc, char **argv) {
 *         static const trend_experiment experiments[] = {
 *             {"sift", sizeof(node), sift},
 *         };
 *         return trend_experiments(argc, argv, experiments, sizeof experiments / sizeof *experiments);
 *     }
 *
 * An experiment executes a fragment as its program does: the same operations in the same order, on as much memory. If
 * the fragment changes its data, prepare the data again before each trend_begin, and execute the fragment once on each
 * element; the repetitions can then be ignored. Each experiment runs in a process of its own and prints its
 * measurements. trend-prof derives constants from them.
 */
#ifndef TREND_FRAGMENT_H
#define TREND_FRAGMENT_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef CLOCK_PROCESS_CPUTIME_ID
#error "trend_fragment.h needs POSIX: compile with -std=gnu99 or -D_POSIX_C_SOURCE=200809L"
#endif

/* One process that measures one experiment. Experiments read elements and repetitions; the other fields are private. */
typedef struct trend_run {
    uint64_t elements;    /* number of elements that the data should have */
    uint64_t repetitions; /* number of executions of the fragment before trend_end */
    uint64_t least;       /* nanoseconds that a measurement must take */
    double growth;        /* factor by which the repetitions grow */
    uint64_t clock;       /* nanoseconds that reading the clock takes */
    uint64_t wall;        /* wall-clock time when the process began to measure */
    uint64_t start;       /* start of the current measurement, in CPU time */
    uint64_t time;        /* nanoseconds that are not printed yet */
    uint64_t executions;  /* executions of the fragment in that time */
    uint64_t measured;    /* nanoseconds that are printed */
    uint64_t printed;     /* number of printed lines */
} trend_run;

/* A fragment: its name, the bytes of memory per element (0 if its memory does not grow), and its timing function. */
typedef struct trend_experiment {
    const char *name;
    uint64_t bytes;
    void (*measure)(trend_run *run);
} trend_experiment;

/* Keeps the compiler from removing a computation: call it with the data after the loop. */
static inline void trend_black_hole(const volatile void *data) {
#if defined(__GNUC__)
    __asm__ volatile("" : : "r"(data) : "memory");
#else
    static const volatile void *volatile hole;
    hole = data;
#endif
}

static inline uint64_t trend_nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Returns true if the experiment should measure once more, and starts the clock. */
static inline int trend_begin(trend_run *run) {
    uint64_t wall = trend_nanoseconds(CLOCK_MONOTONIC);
    if (run->wall == 0) {
        run->wall = wall;
        run->clock = run->least;
        for (int i = 0; i < 100; i++) {
            uint64_t start = trend_nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
            uint64_t time = trend_nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - start;
            run->clock = time < run->clock ? time : run->clock;
        }
    }
    /* If the repetitions double, the last measurement is as long as all before it. If preparing the data takes most of
       the time, the experiment ends after forty times the required time. */
    if ((run->printed >= 5 && run->measured >= 2 * run->least) || wall - run->wall >= 40 * run->least)
        return 0;
    trend_black_hole(run);
    run->start = trend_nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
    return 1;
}

/* Ends a measurement in which the fragment was executed this many times. */
static inline void trend_end(trend_run *run, uint64_t executions) {
    trend_black_hole(run);
    uint64_t time = trend_nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - run->start;
    run->time += time > run->clock ? time - run->clock : 0;
    run->executions += executions;
    /* A shorter measurement is not reliable, so it is added to the next one. */
    if (run->time >= run->least / 32) {
        printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", run->repetitions, run->executions, run->time);
        run->measured += run->time;
        run->printed++;
        run->time = run->executions = 0;
    }
    /* An experiment that ignores the repetitions would let them grow without end. */
    double next = (double)run->repetitions * run->growth;
    if (next < 1e15)
        run->repetitions = next < (double)run->repetitions + 1 ? run->repetitions + 1 : (uint64_t)next;
}

static inline int trend_experiments(int argc, char **argv, const trend_experiment *experiments, size_t count) {
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        puts("trend-fragment 1");
        for (size_t i = 0; i < count; i++)
            printf("%s %" PRIu64 "\n", experiments[i].name, experiments[i].bytes);
        return fflush(stdout) != 0;
    }
    for (size_t i = 0; argc == 5 && i < count; i++) {
        if (strcmp(argv[1], experiments[i].name) != 0)
            continue;
        trend_run run = {0, 1, 0, 0.0, 0, 0, 0, 0, 0, 0, 0};
        run.elements = strtoull(argv[2], 0, 10);
        run.least = strtoull(argv[3], 0, 10);
        run.growth = strtod(argv[4], 0);
        if (run.elements == 0 || run.least == 0 || !(run.growth > 1))
            break;
        puts("trend-fragment 1");
        experiments[i].measure(&run);
        return fflush(stdout) != 0;
    }
    fprintf(stderr, "usage: %s list\n       %s EXPERIMENT ELEMENTS NANOSECONDS GROWTH\n", argv[0], argv[0]);
    fprintf(stderr, "`trend-prof calibrate -- %s` makes constants of what it measures.\n", argv[0]);
    return 2;
}

#endif
