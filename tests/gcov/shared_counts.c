/* shared_counts.c - where a program with gcov's counts has them: in the file
 * PROGRAM.counts beside it, which all its processes have mapped. So nothing is
 * lost, however one of them ends, and one that may open no file counts, too.
 * Whoever collects makes that file, empty: without it nobody does, and a
 * program that was linked elsewhere of the same objects counts for itself. With
 * NTPMU_WRITE_COUNTS in its environment it adds what the file has to gcov's
 * files, and ends. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Of libgcov, which is told of a file before the first of it runs, unless it is
 * compiled with -fprofile-info-section. */
struct gcov_info;
void __gcov_init(struct gcov_info *info);
void __gcov_dump(void);

/* Where shared_counts.ld puts the files and what they count. */
extern struct gcov_info *counted_files_begin[], *counted_files_end[];
extern char shared_counts_begin[], shared_counts_end[];

static void fail(const char *what)
{
    perror(what);
    _exit(EXIT_FAILURE);
}

/* Returns -1 where there is no file for counts: nobody collects them. */
static int open_counts(void)
{
    static const char end[] = ".counts";
    char path[4096 + sizeof(end)];
    ssize_t length = readlink("/proc/self/exe", path, 4096);

    if (length < 0) {
        fail("/proc/self/exe");
    }
    memcpy(path + length, end, sizeof(end));
    return open(path, O_RDWR | O_CLOEXEC);
}

static void write_counts(void)
{
    for (struct gcov_info **file = counted_files_begin;
         file != counted_files_end; file++) {
        __gcov_init(*file);
    }
    __gcov_dump();
    _exit(EXIT_SUCCESS);
}

/* Comes before all that counts. */
__attribute__((constructor(101))) static void share_counts(void)
{
    size_t bytes = (size_t)(shared_counts_end - shared_counts_begin);
    int file = bytes == 0 ? -1 : open_counts();

    if (file >= 0) {
        if (ftruncate(file, (off_t)bytes) != 0 ||
            mmap(shared_counts_begin, bytes, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
            fail("shared counts");
        }
        close(file);
    }
    if (getenv("NTPMU_WRITE_COUNTS") != NULL) {
        write_counts();
    }
}
