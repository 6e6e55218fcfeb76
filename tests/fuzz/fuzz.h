/* fuzz.h - the entry of a fuzz target. tests/fuzz/replay.c runs one on files;
 * libFuzzer, which makes its own, is had with
 *   clang -g -fsanitize=fuzzer,address,undefined -I. -D_XOPEN_SOURCE=700 \
 *       tests/fuzz/fuzz_pe.c api/image/[a-z]*.c */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Runs the target on `size` bytes; libFuzzer wants the name and a 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
