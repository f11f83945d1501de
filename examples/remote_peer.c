/* remote_peer.c -- a controller for `type: remote` (docs/remote.md) over UDP: it holds joints at 0.5 rad by a PD law.
 *
 *   example_remote_peer [PORT]       9000
 *
 * It is sent q of some joints, then v of the same joints, and answers with their efforts. It needs the header of the
 * protocol and no library, serves one run, and ends with it. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include <freebody/remote_protocol.h>

enum { MOST = (FB_REMOTE_MOST_BYTES - sizeof(fb_remote_header)) / sizeof(double) };

int main(int argc, char** argv) {
  static struct {
    fb_remote_header head;
    union {
      uint32_t count[2]; /* of HELLO and WELCOME: signals, inputs */
      double x[MOST];    /* of STEP and REPLY */
    } body;
  } m;
  struct sockaddr_in from, here = {.sin_family = AF_INET};
  here.sin_port = htons((uint16_t)(argc > 1 ? atoi(argv[1]) : 9000));
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  uint32_t ninput = 0;
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  if (bind(fd, (struct sockaddr*)&here, sizeof here) != 0) return perror("remote_peer"), 1;
  for (socklen_t n = sizeof from; recvfrom(fd, &m, sizeof m, 0, (struct sockaddr*)&from, &n) > 0;) {
    if (m.head.magic != FB_REMOTE_MAGIC || m.head.version != FB_REMOTE_VERSION) continue;
    if (m.head.type == FB_REMOTE_END) return 0;
    if (m.head.type == FB_REMOTE_HELLO) { /* a WELCOME is the beginning of the HELLO */
      ninput = m.body.count[0] == 2 * m.body.count[1] ? m.body.count[1] : 0;
      m.head.type = ninput ? FB_REMOTE_WELCOME : FB_REMOTE_REFUSE;
      m.head.size = sizeof(fb_remote_welcome);
    } else { /* a REPLY is the header of the STEP, with other numbers */
      for (uint32_t i = 0; i < ninput; i++)
        m.body.x[i] = 100 * (0.5 - m.body.x[i]) - 20 * m.body.x[ninput + i];
      m.head.type = FB_REMOTE_REPLY;
      m.head.size = (uint32_t)(sizeof m.head + sizeof(double) * ninput);
    }
    sendto(fd, &m, m.head.size, 0, (struct sockaddr*)&from, n);
  }
  return 1;
}
