#ifndef WEIR_CCURL_SHIM_H
#define WEIR_CCURL_SHIM_H
/* Swift cannot call C variadics: one typed inline function for each shape of option. */
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>
static inline CURLcode weir_set_long(CURL *h, CURLoption o, long v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode weir_set_ptr(CURL *h, CURLoption o, const void *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode weir_set_str(CURL *h, CURLoption o, const char *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode weir_set_off(CURL *h, CURLoption o, curl_off_t v) { return curl_easy_setopt(h, o, v); }
typedef size_t (*weir_write_fn)(char *, size_t, size_t, void *);
static inline CURLcode weir_set_write(CURL *h, CURLoption o, weir_write_fn f) { return curl_easy_setopt(h, o, f); }
typedef curl_socket_t (*weir_open_socket_fn)(void *, curlsocktype, struct curl_sockaddr *);
static inline CURLcode weir_set_open_socket(CURL *h, weir_open_socket_fn f) {
    return curl_easy_setopt(h, CURLOPT_OPENSOCKETFUNCTION, f);
}
typedef int (*weir_close_socket_fn)(void *, curl_socket_t);
static inline CURLcode weir_set_close_socket(CURL *h, weir_close_socket_fn f) {
    return curl_easy_setopt(h, CURLOPT_CLOSESOCKETFUNCTION, f);
}
typedef int (*weir_prereq_fn)(void *, char *, char *, int, int);
static inline CURLcode weir_set_prereq(CURL *h, weir_prereq_fn f) {
    return curl_easy_setopt(h, CURLOPT_PREREQFUNCTION, f);
}
static inline CURLcode weir_get_long(CURL *h, CURLINFO i, long *v) { return curl_easy_getinfo(h, i, v); }
static inline CURLcode weir_get_off(CURL *h, CURLINFO i, curl_off_t *v) { return curl_easy_getinfo(h, i, v); }
static inline CURLcode weir_get_ptr(CURL *h, CURLINFO i, void **v) { return curl_easy_getinfo(h, i, v); }
static inline CURLcode weir_get_str(CURL *h, CURLINFO i, char **v) { return curl_easy_getinfo(h, i, v); }
static inline curl_socket_t weir_active_socket(CURL *h) {
    curl_socket_t s = CURL_SOCKET_BAD;
    curl_easy_getinfo(h, CURLINFO_ACTIVESOCKET, &s);
    return s;
}
static inline CURLMcode weir_multi_long(CURLM *m, CURLMoption o, long v) { return curl_multi_setopt(m, o, v); }
static inline CURLMcode weir_multi_ptr(CURLM *m, CURLMoption o, void *v) { return curl_multi_setopt(m, o, v); }
typedef int (*weir_socket_fn)(CURL *, curl_socket_t, int, void *, void *);
static inline CURLMcode weir_multi_socket(CURLM *m, weir_socket_fn f) {
    return curl_multi_setopt(m, CURLMOPT_SOCKETFUNCTION, f);
}
typedef int (*weir_timer_fn)(CURLM *, long, void *);
static inline CURLMcode weir_multi_timer(CURLM *m, weir_timer_fn f) {
    return curl_multi_setopt(m, CURLMOPT_TIMERFUNCTION, f);
}
static inline CURL *weir_message_easy(CURLMsg *m) { return m->easy_handle; }
static inline CURLcode weir_message_result(CURLMsg *m) { return m->data.result; }
static inline struct sockaddr *weir_sockaddr(struct curl_sockaddr *a) { return &a->addr; }
#endif
