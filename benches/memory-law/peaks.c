// Runs a program at each size read from stdin, and prints the size and the bytes of its peak memory. This program is
// small, because a process starts with the peak of its parent.
//   peaks PROGRAM WORDS...     `{n}` stands for the size
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **words) {
    char size[64];
    while (fgets(size, sizeof size, stdin)) {
        size[strcspn(size, "\n")] = 0;
        pid_t child = fork();
        if (child == 0) {
            int null = open("/dev/null", O_RDWR);
            dup2(null, 0);
            dup2(null, 1);
            for (int i = 1; i < count; i++)
                if (!strcmp(words[i], "{n}")) words[i] = size;
            execv(words[1], words + 1);
            _exit(127);
        }
        int status;
        struct rusage usage;
        wait4(child, &status, 0, &usage);
        if (status) return 1;
        printf("%s %ld\n", size, usage.ru_maxrss * 1024);
        fflush(stdout);
    }
    return 0;
}
