/* fuzz_store.h -- changes that somebody, or an accident, makes to the store of a run. */
#ifndef FB_TESTS_FUZZ_STORE_H
#define FB_TESTS_FUZZ_STORE_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the file in memory: records of an offset (3 bytes, the lowest first), how many (1 byte), and the bytes. */
void fuzz_store_patch(char* file, size_t size, const uint8_t* records, size_t left);
/* SQL carried out on the database at `path`; forge: then all its checksums and totals are made to fit. */
void fuzz_store_sql(const char* path, const char* sql, int forge);

#endif
