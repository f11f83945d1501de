/* remote_peer.c -- a controller for `type: remote` (docs/remote.md) over UDP: a PD law that holds joints at a target.
 *
 *   example_remote_peer [PORT [KP KD TARGET]]       9000 100 20 0.5
 *
 * It is sent q of some joints, then v of the same joints, and answers with their efforts. Only the header of the
 * protocol is needed, and no library. It serves one run, and ends with it. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include <freebody/remote_protocol.h>

int main(int argc, char** argv) {
  static union { /* room for any message */
    fb_remote_header head;
    fb_remote_hello hello;
    struct {
      fb_remote_header head;
      double x[8184];
    } data;
  } m;
  double kp = argc > 2 ? atof(argv[2]) : 100, kd = argc > 3 ? atof(argv[3]) : 20;
  double target = argc > 4 ? atof(argv[4]) : 0.5;
  uint32_t ninput = 0;
  struct sockaddr_in here = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)(argc > 1 ? atoi(argv[1]) : 9000))};
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  if (fd < 0 || bind(fd, (struct sockaddr*)&here, sizeof here) != 0) return perror("remote_peer"), 1;
  for (;;) {
    struct sockaddr_in from;
    socklen_t n = sizeof from;
    long got = recvfrom(fd, &m, sizeof m, 0, (struct sockaddr*)&from, &n);
    if (got < (long)sizeof m.head || m.head.magic != FB_REMOTE_MAGIC || m.head.version != FB_REMOTE_VERSION)
      continue;
    if (m.head.type == FB_REMOTE_END) return 0;
    if (m.head.type == FB_REMOTE_HELLO) { /* a WELCOME is the beginning of the HELLO, with another type */
      ninput = m.hello.nsignal / 2 == m.hello.ninput ? m.hello.ninput : 0;
      m.head.type = ninput ? FB_REMOTE_WELCOME : FB_REMOTE_REFUSE;
      m.head.size = ninput ? sizeof(fb_remote_welcome) : sizeof m.head;
    } else { /* a REPLY is the header of the STEP, with other numbers */
      for (uint32_t i = 0; i < ninput; i++)
        m.data.x[i] = kp * (target - m.data.x[i]) - kd * m.data.x[ninput + i];
      m.head.type = FB_REMOTE_REPLY;
      m.head.size = (uint32_t)(sizeof m.head + 8 * ninput);
    }
    if (sendto(fd, &m, m.head.size, 0, (struct sockaddr*)&from, n) < 0) return perror("remote_peer"), 1;
  }
}
