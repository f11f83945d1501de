/* message.c -- messages as bytes. Whatever comes from a peer is checked here before anything is taken from it. */
#include "adapters/remote/message.h"

#include <stdio.h>
#include <string.h>

static void put_bytes(unsigned char* to, uint64_t x, int count) {
  for (int i = 0; i < count; i++) to[i] = (unsigned char)(x >> (8 * i));
}

static uint64_t get_bytes(const unsigned char* from, int count) {
  uint64_t x = 0;
  for (int i = 0; i < count; i++) x |= (uint64_t)from[i] << (8 * i);
  return x;
}

void fb_message_put_u32(unsigned char* to, uint32_t x) {
  put_bytes(to, x, 4);
}

uint32_t fb_message_u32(const unsigned char* from) {
  return (uint32_t)get_bytes(from, 4);
}

void fb_message_put_doubles(unsigned char* to, const double* x, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, &x[i], sizeof bits);
    put_bytes(to + 8 * i, bits, 8);
  }
}

void fb_message_doubles(const unsigned char* from, double* x, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t bits = get_bytes(from + 8 * i, 8);
    memcpy(&x[i], &bits, sizeof bits);
  }
}

void fb_message_put_header(unsigned char* to, int type, size_t size, uint32_t session, long long number,
                           double t) {
  put_bytes(to, FB_REMOTE_MAGIC, 4);
  put_bytes(to + 4, FB_REMOTE_VERSION, 2);
  put_bytes(to + 6, (uint64_t)type, 2);
  put_bytes(to + 8, size, 4);
  put_bytes(to + 12, session, 4);
  put_bytes(to + 16, (uint64_t)number, 8);
  fb_message_put_doubles(to + 24, &t, 1);
}

int fb_message_read(const unsigned char* data, size_t size, fb_message* out, char why[FB_MESSAGE_WHY]) {
  fb_remote_header* h = &out->header;
  memset(out, 0, sizeof *out);
  if (size < FB_MESSAGE_HEADER || get_bytes(data, 4) != FB_REMOTE_MAGIC) {
    snprintf(why, FB_MESSAGE_WHY, "it sent %zu bytes that are no message of this protocol", size);
    return 0;
  }
  h->magic = FB_REMOTE_MAGIC;
  h->version = (uint16_t)get_bytes(data + 4, 2);
  h->type = (uint16_t)get_bytes(data + 6, 2);
  h->size = fb_message_u32(data + 8);
  h->session = fb_message_u32(data + 12);
  h->number = get_bytes(data + 16, 8);
  fb_message_doubles(data + 24, &h->t, 1);
  if (h->version != FB_REMOTE_VERSION) {
    snprintf(why, FB_MESSAGE_WHY, "it speaks version %u of the protocol, and Freebody version %d", h->version,
             FB_REMOTE_VERSION);
    return 0;
  }
  if (h->size != size) {
    snprintf(why, FB_MESSAGE_WHY, "it sent %zu bytes as a message that says to have %lu", size,
             (unsigned long)h->size);
    return 0;
  }
  out->body = data + FB_MESSAGE_HEADER;
  out->nbody = size - FB_MESSAGE_HEADER;
  return 1;
}

char* fb_message_text(const fb_message* m, char* buffer, size_t size) {
  size_t n = 0;
  for (; n < m->nbody && n + 1 < size && m->body[n]; n++)
    buffer[n] = (char)(m->body[n] < 0x20 || m->body[n] > 0x7e ? '?' : m->body[n]);
  buffer[n] = '\0';
  return buffer;
}
