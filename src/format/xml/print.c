/* print.c -- attributes of XML as text. */
#include "format/xml/xml.h"

#include <string.h>

void fb_xml_add_escaped(fb_text* text, const char* value, const char* special) {
  static const char* const escapes[][2] = {{"&", "&amp;"}, {"<", "&lt;"},   {">", "&gt;"},  {"\"", "&quot;"},
                                           {"\t", "&#9;"}, {"\n", "&#10;"}, {"\r", "&#13;"}};
  for (const char* c = value; *c; c++) {
    int i = 0;
    while (strchr(special, *c) && *c != escapes[i][0][0]) i++;
    if (strchr(special, *c))
      fb_text_add(text, escapes[i][1]);
    else
      fb_text_add_bytes(text, c, 1);
  }
}

void fb_xml_add_attribute(fb_text* text, const char* name, const char* value, const char** bad) {
  fb_text_printf(text, " %s=\"", name);
  for (const char* c = value; *c; c++)
    if ((unsigned char)*c < 0x20 && !strchr("\t\n\r", *c)) *bad = value;
  fb_xml_add_escaped(text, value, "&<>\"\t\n\r");
  fb_text_add(text, "\"");
}

void fb_xml_add_numbers(fb_text* text, const char* name, const double* x, int count) {
  char number[32];
  fb_text_printf(text, " %s=\"", name);
  for (int i = 0; i < count; i++) fb_text_printf(text, "%s%s", i ? " " : "", fb_number_format(x[i], number));
  fb_text_add(text, "\"");
}
