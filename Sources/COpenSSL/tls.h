// TLS over memory: a BIO whose input is a stretch of memory and whose output is a sink that many
// connections share. And macros of <openssl/ssl.h> that Swift cannot import.
#pragma once
#include <openssl/bio.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <string.h>

#include "records.h"

/// Where records go: filled by OpenSSL, emptied by whoever sends.
struct packhouse_tls_sink {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
  struct packhouse_tls_ciphers ciphers;
};

/// The two ends of one connection. `input` is what came from the network and was not read yet; `written` counts what
/// OpenSSL has written since somebody set it to 0, a record each time.
struct packhouse_tls_wire {
  const uint8_t *input;
  size_t input_count;
  uint64_t written;
  struct packhouse_tls_sink *sink;
  struct packhouse_tls_records records;
};

static int packhouse_wire_read(BIO *bio, char *into, int wanted) {
  struct packhouse_tls_wire *wire = (struct packhouse_tls_wire *)BIO_get_data(bio);
  BIO_clear_retry_flags(bio);
  if (wanted <= 0) return 0;
  if (wire->input_count == 0) {
    BIO_set_retry_read(bio);
    return -1;
  }
  size_t count = (size_t)wanted < wire->input_count ? (size_t)wanted : wire->input_count;
  memcpy(into, wire->input, count);
  wire->input += count;
  wire->input_count -= count;
  return (int)count;
}

static int packhouse_wire_write(BIO *bio, const char *from, int offered) {
  struct packhouse_tls_wire *wire = (struct packhouse_tls_wire *)BIO_get_data(bio);
  struct packhouse_tls_sink *sink = wire->sink;
  BIO_clear_retry_flags(bio);
  if (offered <= 0) return 0;
  const int seals = wire->records.key_length != 0;
  if (seals && offered > packhouse_record_plaintext) return -1;
  const size_t needed = (size_t)offered + (seals ? packhouse_record_header + 1 + packhouse_record_tag : 0);
  if (sink->capacity - sink->count < needed) {
    BIO_set_retry_write(bio);
    return -1;
  }
  if (seals) {
    const int length = packhouse_records_seal(
        &wire->records, &sink->ciphers, sink->bytes + sink->count, (const uint8_t *)from, offered);
    if (length < 0) return -1;
    sink->count += (size_t)length;
  } else {
    memcpy(sink->bytes + sink->count, from, (size_t)offered);
    sink->count += (size_t)offered;
  }
  wire->written++;
  return offered;
}

static long packhouse_wire_control(BIO *bio, int command, long number, void *pointer) {
  struct packhouse_tls_wire *wire = (struct packhouse_tls_wire *)BIO_get_data(bio);
  struct packhouse_tls_records *records = &wire->records;
  switch (command) {
    case BIO_CTRL_FLUSH:
      return 1;
    case packhouse_ctrl_set_ktls:
      // `number` tells the write side from the read side, which stays with OpenSSL.
      return number != 0 && pointer != NULL ? packhouse_records_begin(records, &wire->sink->ciphers, pointer) : 0;
    case BIO_CTRL_GET_KTLS_SEND:
      return records->key_length != 0;
    case packhouse_ctrl_set_ktls_record_type:
      records->type = (uint8_t)number;
      return 0;
    case packhouse_ctrl_clear_ktls_record_type:
      records->type = 0;
      return 0;
    default:
      return 0;
  }
}

/// Makes the BIO kind once for each process; NULL when memory is short.
static inline BIO_METHOD *packhouse_wire_method(void) {
  BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "memory wire");
  if (method == NULL) return NULL;
  BIO_meth_set_read(method, packhouse_wire_read);
  BIO_meth_set_write(method, packhouse_wire_write);
  BIO_meth_set_ctrl(method, packhouse_wire_control);
  return method;
}

/// Connects `ssl` to `wire`, which must outlive it; 1 on success.
static inline int packhouse_wire_attach(SSL *ssl, BIO_METHOD *method, struct packhouse_tls_wire *wire) {
  BIO *bio = BIO_new(method);
  if (bio == NULL) return 0;
  BIO_set_data(bio, wire);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl, bio, bio);
  return 1;
}

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
