/* An open-loop load: requests leave when they are due, whatever became of the ones before.
 *
 *   bench-load PORT PATH RATE SECONDS [CONNECTIONS]
 *
 * Latency counts from the instant at which a request was due, so that a stall is felt by everybody who would have come
 * meanwhile ("coordinated omission"). The first second warms up and is not counted. Prints one line of JSON. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { MAX_CONNECTIONS = 4096, BUFFER = 65536 };

struct connection {
    int fd;
    int64_t due;    /* of the request on it */
    long missing;   /* bytes of the body that have not come; -1 while the head comes */
    size_t kept;
    char head[8192];
};

static struct connection connections[MAX_CONNECTIONS];
static int opened, idle[MAX_CONNECTIONS], idle_count, port, queue_fd;
static char request[4096];
static size_t request_size;
static int64_t *latencies, counted_from;
static size_t latency_count, failures;

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void connect_one(struct connection *connection) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address)) {
        perror("connect");
        exit(1);
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    connection->fd = fd;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    epoll_ctl(queue_fd, EPOLL_CTL_ADD, fd, &event);
}

static void settle(struct connection *connection, int ok) {
    if (!ok) {
        failures++;
        close(connection->fd);
        connect_one(connection);
    } else if (connection->due >= counted_from) {
        latencies[latency_count++] = now() - connection->due;
    }
    connection->due = 0;
    idle[idle_count++] = connection - connections;
}

static void start(int64_t due) {
    if (!idle_count) {
        if (opened == MAX_CONNECTIONS) {
            failures++;
            return;
        }
        connect_one(&connections[opened]);
        idle[idle_count++] = opened++;
    }
    struct connection *connection = &connections[idle[--idle_count]];
    connection->due = due;
    connection->missing = -1;
    connection->kept = 0;
    if (send(connection->fd, request, request_size, MSG_NOSIGNAL) != (ssize_t)request_size) settle(connection, 0);
}

static void receive(struct connection *connection) {
    static char buffer[BUFFER];
    ssize_t n = recv(connection->fd, buffer, BUFFER, MSG_DONTWAIT);
    if (n < 0 && errno == EAGAIN) return;
    if (!connection->due) {
        /* Closed while idle: servers may. It stays in the list of idle ones, connected anew. */
        close(connection->fd);
        return connect_one(connection);
    }
    if (n <= 0) return settle(connection, 0);
    if (connection->missing >= 0) {
        connection->missing -= n;
    } else {
        size_t room = sizeof connection->head - 1 - connection->kept, copied = (size_t)n < room ? (size_t)n : room;
        memcpy(connection->head + connection->kept, buffer, copied);
        connection->kept += copied;
        connection->head[connection->kept] = 0;
        char *end = strstr(connection->head, "\r\n\r\n");
        if (!end) return;
        char *length = strcasestr(connection->head, "\r\ncontent-length:");
        if (strncmp(connection->head, "HTTP/1.1 200", 12) || !length || length > end) return settle(connection, 0);
        size_t head = end + 4 - connection->head;
        /* An answer without an ad is quick, and no answer. */
        if (atol(length + 17) < 2500) return settle(connection, 0);
        connection->missing = atol(length + 17) - (long)(connection->kept - copied + n - head);
    }
    if (connection->missing < 0) return settle(connection, 0);
    if (connection->missing == 0) settle(connection, 1);
}

static int ascending(const void *a, const void *b) {
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static double percentile(double share) {
    if (!latency_count) return 0;
    size_t place = share * latency_count;
    return latencies[place < latency_count ? place : latency_count - 1] / 1000.0;
}

int main(int argc, char **argv) {
    if (argc < 5) return fprintf(stderr, "usage: bench-load PORT PATH RATE SECONDS [CONNECTIONS]\n"), 2;
    port = atoi(argv[1]);
    double rate = atof(argv[3]), seconds = atof(argv[4]);
    request_size = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", argv[2], port);
    size_t total = rate * (seconds + 1);
    latencies = malloc(sizeof *latencies * (total + 1));
    prctl(PR_SET_TIMERSLACK, 1);
    queue_fd = epoll_create1(EPOLL_CLOEXEC);
    for (int wanted = argc > 5 ? atoi(argv[5]) : 64; opened < wanted && opened < MAX_CONNECTIONS; opened++) {
        connect_one(&connections[opened]);
        idle[idle_count++] = opened;
    }
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    epoll_ctl(queue_fd, EPOLL_CTL_ADD, timer, &event);

    int64_t begin = now() + 10000000, last = 0;
    counted_from = begin + 1000000000LL;
    size_t sent = 0;
    for (;;) {
        int64_t time = now();
        while (sent < total && begin + (int64_t)(sent * 1e9 / rate) <= time) {
            start(begin + (int64_t)(sent * 1e9 / rate));
            sent++;
        }
        if (sent == total && !last) last = time;
        /* Ten seconds for the stragglers. */
        if (last && (idle_count == opened || time > last + 10000000000LL)) break;
        int64_t next = last ? last + 10000000000LL : begin + (int64_t)(sent * 1e9 / rate);
        struct itimerspec when = {.it_value = {next / 1000000000, next % 1000000000}};
        timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
        struct epoll_event events[256];
        int ready = epoll_wait(queue_fd, events, 256, -1);
        for (int i = 0; i < ready; i++) {
            uint64_t ticks;
            if (events[i].data.ptr) receive(events[i].data.ptr);
            else if (read(timer, &ticks, sizeof ticks) < 0 && errno != EAGAIN) perror("timer");
        }
    }
    failures += opened - idle_count;
    qsort(latencies, latency_count, sizeof *latencies, ascending);
    printf("{\"count\": %zu, \"failures\": %zu, \"connections\": %d, \"p50_us\": %.1f, \"p90_us\": %.1f, "
           "\"p99_us\": %.1f, \"p999_us\": %.1f, \"max_us\": %.1f}\n",
        latency_count, failures, opened, percentile(0.5), percentile(0.9), percentile(0.99), percentile(0.999),
        percentile(1));
    return failures > total / 100;
}
