/* print.h -- attributes of XML as text. */
#ifndef FB_FORMAT_XML_PRINT_H
#define FB_FORMAT_XML_PRINT_H

#include <freebody/text.h>

/*  name="value" with a space before it, the value escaped. *bad is set to a value that XML cannot hold: most control
 * characters have no way to be written, not even escaped. */
void fb_xml_add_attribute(fb_text* text, const char* name, const char* value, const char** bad);
/* The same with numbers, in the digits that read back the same. */
void fb_xml_add_numbers(fb_text* text, const char* name, const double* x, int count);

#endif
