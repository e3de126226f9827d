// The records that a server sends in TLS 1.3, encrypted straight from the caller's memory into the sink.
//
// OpenSSL stays the one that speaks the protocol: it derives the keys and decides what is sent in which record. Without
// its keys (another version of the library, TLS 1.2, a cipher that is not known here) the BIO gets finished records.
// The same after a KeyUpdate, unless OpenSSL hands over the new keys too. README.md has the reason, the risk and the
// proof.
#pragma once
#include <stddef.h>
#include <stdint.h>

struct evp_cipher_ctx_st;

enum {
  packhouse_record_header = 5,
  packhouse_record_tag = 16,
  packhouse_record_plaintext = 16384,
};

/// The ciphers of one thread, shared by its connections: each connection keeps its keys only, and a cipher gets them
/// again when another connection has used it.
struct packhouse_tls_ciphers {
  struct evp_cipher_ctx_st *aes_128_gcm;
  struct evp_cipher_ctx_st *aes_256_gcm;
  /// The number of the connection whose key each of them holds; 0 for none.
  uint64_t aes_128_owner;
  uint64_t aes_256_owner;
  uint64_t last_owner;
};

/// The write side of one connection. All zero until OpenSSL hands its keys over.
struct packhouse_tls_records {
  /// In bytes; 0 while OpenSSL makes the records.
  uint8_t key_length;
  /// The type of the next record; 0 stands for application data.
  uint8_t type;
  uint8_t iv[12];
  uint8_t key[32];
  uint64_t sequence;
  uint64_t owner;
};

/// Without memory for them OpenSSL makes the records.
struct packhouse_tls_ciphers packhouse_ciphers_make(void);

void packhouse_ciphers_free(struct packhouse_tls_ciphers *ciphers);

/// Takes the keys of `info`, which OpenSSL laid out as the kernel wants it; 1 when they are taken.
int packhouse_records_begin(
    struct packhouse_tls_records *records, struct packhouse_tls_ciphers *ciphers, const void *info);

/// Forgets the keys: OpenSSL makes the records from now on, unless it hands over new ones.
void packhouse_records_end(struct packhouse_tls_records *records);

/// Makes one record of up to 16 KiB of plain text at `out`, which has room; its length, or -1.
/// RFC 8446, sections 5.2 and 5.3.
int packhouse_records_seal(
    struct packhouse_tls_records *records, struct packhouse_tls_ciphers *ciphers, uint8_t *out,
    const uint8_t *plaintext, int count);
