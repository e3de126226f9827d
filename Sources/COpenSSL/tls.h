// Macros of <openssl/ssl.h> that Swift cannot import, as functions of the same names with a prefix.
#pragma once
#include <openssl/ssl.h>

static inline int packhouse_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
  return SSL_CTX_set_min_proto_version(context, version);
}
