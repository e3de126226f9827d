// Macros and callbacks of <openssl/ssl.h> for the server's side, which Swift cannot import.
#pragma once
#include <openssl/ssl.h>

static const unsigned char packhouse_alpn_http11[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

/// Takes `http/1.1` when the client offers it. A client that offers only other protocols goes on
/// without ALPN: HTTP/1.1 is all that is spoken here either way.
static int packhouse_alpn_select(
    SSL *ssl, const unsigned char **out, unsigned char *out_length, const unsigned char *in, unsigned int in_length,
    void *context) {
  (void)ssl;
  (void)context;
  unsigned char *chosen = NULL;
  if (SSL_select_next_proto(
          &chosen, out_length, packhouse_alpn_http11, sizeof packhouse_alpn_http11, in, in_length) !=
      OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_NOACK;
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

/// AES with 128 bits first: it is as safe for this use as 256 and costs less for each byte. A client that puts ChaCha20
/// first has no hardware for AES and gets ChaCha20.
static const char packhouse_tls12_ciphers[] =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";

/// The server's settings that are macros or callbacks in C; 1 on success.
static inline int packhouse_server_defaults(SSL_CTX *context) {
  SSL_CTX_set_options(
      context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE |
                   SSL_OP_PRIORITIZE_CHACHA | SSL_OP_IGNORE_UNEXPECTED_EOF | SSL_OP_ENABLE_KTLS);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context, 1);
  SSL_CTX_set_alpn_select_cb(context, packhouse_alpn_select, NULL);
  static const unsigned char name[] = "packhouse";
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 &&
         SSL_CTX_set_session_id_context(context, name, sizeof name - 1) == 1 &&
         SSL_CTX_set_cipher_list(context, packhouse_tls12_ciphers) == 1 &&
         SSL_CTX_set_ciphersuites(
             context, "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256") == 1 &&
         SSL_CTX_set1_groups_list(context, "X25519:P-256:P-384") == 1;
}

/// Adds one more certificate behind the leaf; 1 on success.
static inline int packhouse_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
  return (int)SSL_CTX_add1_chain_cert(context, certificate);
}
