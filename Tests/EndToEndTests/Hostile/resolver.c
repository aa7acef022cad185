/* Stands before the system's resolver for names below rebind.test, which are for tests of DNS rebinding.
 *
 * flip-…    127.0.0.1 the first time, 127.0.0.2 from then on
 * inside-…  127.0.0.2
 * both-…    127.0.0.2, then 127.0.0.1
 * mapped-…  ::ffff:127.0.0.2
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <string.h>

typedef int (*resolve)(const char *, const char *, const struct addrinfo *, struct addrinfo **);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char seen[256][128];
static int count;

static int seen_before(const char *name) {
    int known = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < count && !known; i++) known = strcmp(seen[i], name) == 0;
    if (!known && count < 256) strncpy(seen[count++], name, 127);
    pthread_mutex_unlock(&lock);
    return known;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    resolve next = (resolve)dlsym(RTLD_NEXT, "getaddrinfo");
    size_t length = name ? strlen(name) : 0;
    if (length < 12 || strcmp(name + length - 12, ".rebind.test") != 0) return next(name, service, hints, result);
    struct addrinfo numeric = {0};
    if (hints) numeric = *hints;
    numeric.ai_flags = AI_NUMERICHOST;
    numeric.ai_family = AF_UNSPEC;
    if (strncmp(name, "flip-", 5) == 0)
        return next(seen_before(name) ? "127.0.0.2" : "127.0.0.1", service, &numeric, result);
    if (strncmp(name, "mapped-", 7) == 0) return next("::ffff:127.0.0.2", service, &numeric, result);
    int code = next("127.0.0.2", service, &numeric, result);
    if (code != 0 || strncmp(name, "both-", 5) != 0) return code;
    return next("127.0.0.1", service, &numeric, &(*result)->ai_next);
}
