/* handle.h - handles: those of the kernel, which are good in every process, and
 * those of one process, which its program can use, too (OB-11). */
#ifndef API_OB_HANDLE_H
#define API_OB_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/leaks.h"
#include "api/nt/nt.h"
#include "api/ob/counted_object.h"
#include "api/ob/object_type.h"

struct driver;
struct kernel;
struct name_information;

/* OBJ_ (OB-10). */
enum {
    OBJ_INHERIT = 0x2,
    OBJ_PERMANENT = 0x10,
    OBJ_EXCLUSIVE = 0x20,
    OBJ_CASE_INSENSITIVE = 0x40,
    OBJ_OPENIF = 0x80,
    OBJ_OPENLINK = 0x100,
    OBJ_KERNEL_HANDLE = 0x200,
    OBJ_FORCE_ACCESS_CHECK = 0x400,
    OBJ_VALID_ATTRIBUTES = 0x1FF2,
};

/* KPROCESSOR_MODE. */
enum { KERNEL_MODE = 0, USER_MODE = 1 };

struct handle {
    struct counted_object *object; /* NULL: it is closed */
    const struct driver *driver;   /* who has to close it */
    const struct driver
        *program; /* whose process it is of; NULL: the system's */
    uint64_t place;
    uint32_t step;
    uint32_t access; /* granted */
    uint32_t next_free;
    bool reported; /* as left behind */
};

/* Numbers of one kind. No two processes have the same handle [C]. */
struct handle_table {
    struct handle *handle; /* number 0 is nobody's */
    uint32_t count, capacity;
    uint32_t first_free; /* 0: none */
};

struct handles {
    struct counted_objects objects;
    struct handle_table of_kernel, of_processes;
    struct name_information *path; /* of who has asked last; NULL: nobody has */
    void *type[OBJECT_TYPES];      /* addresses; NULL: nobody has asked yet */
    void **type_pointers; /* guest memory with all of them; or NULL, too */
};

/* A new handle of the running driver's, with all access: of the kernel, and
 * where a program's own code runs, of its process. NULL: there is no room. */
HANDLE handle_open(struct kernel *kernel, struct counted_object *object);

/* The same with this access, of the kernel if the attributes have
 * OBJ_KERNEL_HANDLE, else of the current process. */
HANDLE handle_open_as(struct kernel *kernel, struct counted_object *object,
    uint32_t attributes, uint32_t access);

/* The same for a process that need not be the current one. NULL: the system's.
 */
HANDLE handle_open_in(struct kernel *kernel, struct counted_object *object,
    const struct driver *program, uint32_t access);

/* What it is a handle of, where it is valid now: of the kernel, unless a
 * program's code runs, or of the current process. NULL: it is not open. */
struct counted_object *handle_object(struct kernel *kernel, HANDLE handle);
const struct handle *handle_find(struct kernel *kernel, HANDLE handle);

/* The same as in that process. */
const struct handle *handle_find_in(
    struct kernel *kernel, HANDLE handle, const struct driver *program);

/* Whether it looks like one of the kernel's. */
bool handle_is_of_kernel(HANDLE handle);

/* The program in whose process code runs; NULL: the system's. */
const struct driver *handle_process(struct kernel *kernel);

/* The handle is open. */
void handle_close(struct kernel *kernel, HANDLE handle);

/* A program has ended: what it has left open is closed. */
void handle_close_all(struct kernel *kernel, const struct driver *program);

/* What a driver has not closed: when it ends, the warning leak.handle. */
extern const struct leak_source handle_leaks;

void handles_release(struct handles *handles);

#endif
