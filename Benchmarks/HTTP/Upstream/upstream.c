/* A network for measurements: answers every GET with one document, after a fixed delay.
 *
 *   bench-upstream FILE DELAY_US            prints its port and serves on loopback until it is killed
 *
 * One thread, epoll, keep-alive. It costs as little as possible, because it shares the machine with what is measured. */
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

enum { MAX_FD = 65536, TIMER = MAX_FD };

struct due {
    int64_t at;
    int fd;
    uint32_t life; /* which connection of that number */
};

static char *answer;
static size_t answer_size;
static int64_t delay_ns;
static struct due queue[MAX_FD]; /* a ring: the delay is the same for all, so arrival order is due order */
static unsigned first, count;
static uint32_t lives[MAX_FD];
static unsigned char matched[MAX_FD]; /* how much of the empty line that ends a head has come */

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void drop(int fd) {
    lives[fd]++;
    matched[fd] = 0;
    close(fd);
}

/* The answer fits into any socket's send buffer; a client that does not read is dropped. */
static void reply(int fd) {
    if (send(fd, answer, answer_size, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)answer_size) drop(fd);
}

static void arm(int timer) {
    struct itimerspec when = {0};
    if (count) {
        when.it_value.tv_sec = queue[first].at / 1000000000;
        when.it_value.tv_nsec = queue[first].at % 1000000000;
    }
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
}

static void requested(int fd, int timer) {
    if (!delay_ns) return reply(fd);
    if (count == MAX_FD) return drop(fd);
    queue[(first + count++) % MAX_FD] = (struct due){now() + delay_ns, fd, lives[fd]};
    if (count == 1) arm(timer);
}

static void receive(int fd, int timer) {
    static const char end[] = "\r\n\r\n";
    char bytes[16384];
    ssize_t n = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) return drop(fd);
    uint32_t life = lives[fd];
    for (ssize_t i = 0; i < n && lives[fd] == life; i++) {
        matched[fd] = bytes[i] == end[matched[fd]] ? matched[fd] + 1 : bytes[i] == '\r';
        if (matched[fd] == 4) {
            matched[fd] = 0;
            requested(fd, timer);
        }
    }
}

static void flush(int timer) {
    uint64_t ticks;
    if (read(timer, &ticks, sizeof ticks) < 0) return;
    int64_t time = now();
    while (count && queue[first].at <= time) {
        struct due due = queue[first];
        first = (first + 1) % MAX_FD;
        count--;
        if (lives[due.fd] == due.life) reply(due.fd);
    }
    arm(timer);
}

static void read_document(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) fail(path);
    static char document[1 << 20];
    size_t size = fread(document, 1, sizeof document, file);
    fclose(file);
    answer = malloc(size + 256);
    int head = sprintf(
        answer, "HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nContent-Length: %zu\r\nServer: bench\r\n\r\n", size);
    memcpy(answer + head, document, size);
    answer_size = head + size;
}

int main(int argc, char **argv) {
    if (argc != 3) return fprintf(stderr, "usage: bench-upstream FILE DELAY_US\n"), 2;
    read_document(argv[1]);
    delay_ns = atoll(argv[2]) * 1000;
    prctl(PR_SET_TIMERSLACK, 1);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 4096)) fail("listen");
    getsockname(listener, (struct sockaddr *)&address, &length);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);

    int queue_fd = epoll_create1(EPOLL_CLOEXEC);
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
    epoll_ctl(queue_fd, EPOLL_CTL_ADD, listener, &event);
    event.data.fd = TIMER;
    epoll_ctl(queue_fd, EPOLL_CTL_ADD, timer, &event);
    for (;;) {
        struct epoll_event events[256];
        int ready = epoll_wait(queue_fd, events, 256, -1);
        for (int i = 0; i < ready; i++) {
            int fd = events[i].data.fd;
            if (fd == TIMER) {
                flush(timer);
            } else if (fd == listener) {
                int one = 1, client = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
                if (client < 0) continue;
                if (client >= MAX_FD) { close(client); continue; }
                setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                event.data.fd = client;
                epoll_ctl(queue_fd, EPOLL_CTL_ADD, client, &event);
            } else {
                receive(fd, timer);
            }
        }
    }
}
