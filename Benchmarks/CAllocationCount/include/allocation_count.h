#ifndef WEIR_ALLOCATION_COUNT_H
#define WEIR_ALLOCATION_COUNT_H
/// Allocations of the process since it began: malloc, calloc, realloc and their aligned kin.
unsigned long allocation_count(void);
#endif
