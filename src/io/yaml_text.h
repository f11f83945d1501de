/* yaml_text.h -- which texts may stand in YAML without quotes. */
#ifndef FB_IO_YAML_TEXT_H
#define FB_IO_YAML_TEXT_H

/* Nonzero when the text reads back as itself without quotes: words of letters, digits, '_', '-', '.', '/' and
 * single blanks that no reader takes for a number, a truth value or nothing. */
int fb_yaml_is_plain(const char* text);

#endif
