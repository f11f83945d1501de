/* server_websockets.c -- libwebsockets, by the name of the one whose headers this was built with. */
#include <freebody/support/library.h>

#include "live/server_websockets.h"

cmd_websockets cmd_lws;

fb_status cmd_websockets_load(fb_error* error) {
#define CMD_LWS_FUNCTION(name) "lws_" #name,
  static const char* const NAMES[] = {CMD_LWS_FUNCTIONS(CMD_LWS_FUNCTION)};
  return fb_library_load(CMD_LWS_FILE, NAMES, sizeof NAMES / sizeof *NAMES, &cmd_lws, error);
}
