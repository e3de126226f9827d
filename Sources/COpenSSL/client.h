// Macros of <openssl/ssl.h> that only the client side of TLS needs, as functions with a prefix.
#pragma once
#include <openssl/ssl.h>

/// TLS 1.2 at least, one record buffer less while idle, no waiting inside OpenSSL; 1 when all of it was set.
static inline int packhouse_prepare_client(SSL_CTX *context) {
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

static inline int packhouse_send_server_name(SSL *connection, const char *name) {
  return (int)SSL_set_tlsext_host_name(connection, name);
}
