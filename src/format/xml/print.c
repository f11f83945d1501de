/* print.c -- attributes of XML as text. See format/xml/print.h. */
#include "format/xml/print.h"

static int is_forbidden(unsigned char c) {
  return c < 0x20 && c != '\t' && c != '\n' && c != '\r';
}

static const char* escape_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\t':
      return "&#9;";
    case '\n':
      return "&#10;";
    case '\r':
      return "&#13;";
    default:
      return 0;
  }
}

void fb_xml_add_attribute(fb_text* text, const char* name, const char* value, const char** bad) {
  fb_text_printf(text, " %s=\"", name);
  for (const char* c = value; *c; c++) {
    const char* escape = escape_of(*c);
    if (is_forbidden((unsigned char)*c)) *bad = value;
    if (escape)
      fb_text_add(text, escape);
    else
      fb_text_add_bytes(text, c, 1);
  }
  fb_text_add(text, "\"");
}

void fb_xml_add_numbers(fb_text* text, const char* name, const double* x, int count) {
  char number[32];
  fb_text_printf(text, " %s=\"", name);
  for (int i = 0; i < count; i++) fb_text_printf(text, "%s%s", i ? " " : "", fb_number_text(x[i], number));
  fb_text_add(text, "\"");
}
