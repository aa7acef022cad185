#ifndef WEIR_CUV_SHIM_H
#define WEIR_CUV_SHIM_H
#include <sys/syscall.h>
#include <unistd.h>
#include <uv.h>

/// Marks all descriptors from `first` on as not to be inherited (Linux 5.11; earlier ones are left as they are).
static inline void weir_close_on_exec_from(unsigned int first) {
    /* CLOSE_RANGE_CLOEXEC */
    syscall(SYS_close_range, first, ~0U, 4U);
}
#endif
