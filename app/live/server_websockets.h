/* server_websockets.h -- libwebsockets, which is loaded when a run is to be watched live (freebody/support/library.h). */
#ifndef FB_APP_LIVE_SERVER_WEBSOCKETS_H
#define FB_APP_LIVE_SERVER_WEBSOCKETS_H

#include <libwebsockets.h>

#include <freebody/status.h>

/* clang-format off */
/* lws_service is cmd_lws.service, and so on. */
#define CMD_LWS_FUNCTIONS(F)                                                                                \
  F(add_http_common_headers) F(add_http_header_by_name) F(adopt_descriptor_vhost) F(adopt_socket_vhost)     \
  F(callback_on_writable) F(cancel_service) F(close_reason) F(context_destroy) F(context_user)              \
  F(create_context) F(finalize_write_http_header) F(frame_is_binary) F(get_context) F(get_vhost)            \
  F(get_vhost_by_name) F(hdr_copy) F(hdr_total_length) F(is_final_fragment) F(remaining_packet_payload)     \
  F(return_http_status) F(service) F(set_log_level) F(set_timeout) F(sul_schedule) F(write)
/* clang-format on */

typedef struct cmd_websockets {
#define CMD_LWS_FUNCTION(name) __typeof__(lws_##name)* name;
  CMD_LWS_FUNCTIONS(CMD_LWS_FUNCTION)
#undef CMD_LWS_FUNCTION
} cmd_websockets;

extern cmd_websockets cmd_lws;

fb_status cmd_websockets_load(fb_error* error);

#endif
