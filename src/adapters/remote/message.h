/* message.h -- messages of the protocol between Freebody and a remote controller (freebody/remote_protocol.h) as bytes:
 * written and read field by field, little endian on every machine. */
#ifndef FB_ADAPTERS_REMOTE_MESSAGE_H
#define FB_ADAPTERS_REMOTE_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include <freebody/remote_protocol.h>

enum { FB_MESSAGE_HEADER = 32, FB_MESSAGE_HELLO = 64, FB_MESSAGE_WELCOME = 40, FB_MESSAGE_WHY = 200 };

/* A message as it was received; body points into the bytes. */
typedef struct fb_message {
  fb_remote_header header;
  const unsigned char* body;
  size_t nbody;
} fb_message;

void fb_message_put_u32(unsigned char* to, uint32_t x);
uint32_t fb_message_u32(const unsigned char* from);
void fb_message_put_doubles(unsigned char* to, const double* x, size_t count);
void fb_message_doubles(const unsigned char* from, double* x, size_t count);
/* The first 32 bytes; size is that of the whole message. */
void fb_message_put_header(unsigned char* to, int type, size_t size, uint32_t session, long long number,
                           double t);
/* Reads what was received; 0 when it is not a message of this protocol and version, with the reason in why. */
int fb_message_read(const unsigned char* data, size_t size, fb_message* out, char why[FB_MESSAGE_WHY]);
/* The text of an END or REFUSE, printable, shortened to fit. Returns buffer. */
char* fb_message_text(const fb_message* m, char* buffer, size_t size);

#endif
