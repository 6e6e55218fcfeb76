/* win32_error.h - errors of user mode by their names. */
#ifndef API_NT_WIN32_ERROR_H
#define API_NT_WIN32_ERROR_H

enum win32_error {
#define WIN32_ERROR(name, value) name = (value),
#include "api/nt/win32_errors.def"
};

#endif
