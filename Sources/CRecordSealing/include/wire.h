// TLS over memory: a BIO whose input is a stretch of memory and whose output is a sink that many connections share.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "records.h"

struct bio_method_st;
struct ssl_st;

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
  /// Whether the keys are taken that OpenSSL offers; 0 leaves every record to OpenSSL.
  int takes_keys;
  struct packhouse_tls_sink *sink;
  struct packhouse_tls_records records;
};

/// Makes the BIO kind once for each process; NULL when memory is short.
struct bio_method_st *packhouse_wire_method(void);

/// Connects `ssl` to `wire`, which must outlive it; 1 on success.
int packhouse_wire_attach(struct ssl_st *ssl, struct bio_method_st *method, struct packhouse_tls_wire *wire);
