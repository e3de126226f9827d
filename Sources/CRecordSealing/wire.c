#include "wire.h"

#include <openssl/bio.h>
#include <openssl/ssl.h>
#include <string.h>

/// What <openssl/bio.h> names in a comment only.
enum {
  packhouse_ctrl_set_ktls = 72,
  packhouse_ctrl_set_ktls_record_type = 74,
  packhouse_ctrl_clear_ktls_record_type = 75,
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
      if (!wire->takes_keys || number == 0 || pointer == NULL) return 0;
      return packhouse_records_begin(records, &wire->sink->ciphers, pointer);
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

BIO_METHOD *packhouse_wire_method(void) {
  BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "memory wire");
  if (method == NULL) return NULL;
  BIO_meth_set_read(method, packhouse_wire_read);
  BIO_meth_set_write(method, packhouse_wire_write);
  BIO_meth_set_ctrl(method, packhouse_wire_control);
  return method;
}

int packhouse_wire_attach(SSL *ssl, BIO_METHOD *method, struct packhouse_tls_wire *wire) {
  BIO *bio = BIO_new(method);
  if (bio == NULL) return 0;
  BIO_set_data(bio, wire);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl, bio, bio);
  return 1;
}
