/* header_process.h - the process that reads a header. It is the program once
 * more, by another name: whoever wants a header read has threads that read
 * other files, and a process that is forked of those may only begin anew. */
#ifndef RUNNER_HEADERS_HEADER_PROCESS_H
#define RUNNER_HEADERS_HEADER_PROCESS_H

/* What the program is called then, argv[0]; argv[1] is the header's path. */
extern const char header_process_name[];

/* Reads it, and says on standard output what there is: 's' and the text of
 * `structures`; or 'p' and problems, each "LINE COLUMN PATH", NUL, what is
 * wrong, NUL; or 'f' and why nothing could be read. The process ends then. */
_Noreturn void header_process_run(const char *path);

#endif
