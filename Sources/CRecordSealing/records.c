// Turns plain text into TLS 1.3 records, with the keys and the ciphers of OpenSSL. README.md has the reason and the risk.
#include "records.h"

#include <linux/tls.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// OpenSSL fills these structures with the layout of its own build.
_Static_assert(
    sizeof(struct tls12_crypto_info_aes_gcm_128) == 40 &&
        offsetof(struct tls12_crypto_info_aes_gcm_128, rec_seq) == 32,
    "the keys of AES-128-GCM have a different layout");
_Static_assert(
    sizeof(struct tls12_crypto_info_aes_gcm_256) == 56 &&
        offsetof(struct tls12_crypto_info_aes_gcm_256, rec_seq) == 48,
    "the keys of AES-256-GCM have a different layout");

enum {
  packhouse_record_application_data = 23,
  packhouse_record_handshake = 22,
  packhouse_handshake_key_update = 24,
};

/// RFC 8446, section 5.5: AES-GCM may protect 2^24.5 full records with one key. New keys must come long before that.
static const uint64_t packhouse_record_limit = UINT64_C(1) << 24;

static EVP_CIPHER_CTX *packhouse_cipher_make(const char *name) {
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  if (cipher != NULL && context != NULL && EVP_EncryptInit_ex2(context, cipher, NULL, NULL, NULL) != 1) {
    EVP_CIPHER_CTX_free(context);
    context = NULL;
  }
  // The context has a reference of its own.
  EVP_CIPHER_free(cipher);
  return context;
}

struct packhouse_tls_ciphers packhouse_ciphers_make(void) {
  struct packhouse_tls_ciphers ciphers = {
      packhouse_cipher_make("AES-128-GCM"), packhouse_cipher_make("AES-256-GCM"), 0, 0, 0};
  return ciphers;
}

void packhouse_ciphers_free(struct packhouse_tls_ciphers *ciphers) {
  EVP_CIPHER_CTX_free(ciphers->aes_128_gcm);
  EVP_CIPHER_CTX_free(ciphers->aes_256_gcm);
}

int packhouse_records_begin(
    struct packhouse_tls_records *records, struct packhouse_tls_ciphers *ciphers, const void *info) {
  const struct tls_crypto_info *kind = (const struct tls_crypto_info *)info;
  if (records->key_length != 0 || kind->version != TLS_1_3_VERSION) return 0;
  const uint8_t *sequence = NULL;
  if (kind->cipher_type == TLS_CIPHER_AES_GCM_128 && ciphers->aes_128_gcm != NULL) {
    const struct tls12_crypto_info_aes_gcm_128 *keys = (const struct tls12_crypto_info_aes_gcm_128 *)info;
    memcpy(records->iv, keys->salt, 4);
    memcpy(records->iv + 4, keys->iv, 8);
    memcpy(records->key, keys->key, 16);
    records->key_length = 16;
    sequence = keys->rec_seq;
  } else if (kind->cipher_type == TLS_CIPHER_AES_GCM_256 && ciphers->aes_256_gcm != NULL) {
    const struct tls12_crypto_info_aes_gcm_256 *keys = (const struct tls12_crypto_info_aes_gcm_256 *)info;
    memcpy(records->iv, keys->salt, 4);
    memcpy(records->iv + 4, keys->iv, 8);
    memcpy(records->key, keys->key, 32);
    records->key_length = 32;
    sequence = keys->rec_seq;
  } else {
    return 0;
  }
  records->sequence = 0;
  for (int place = 0; place < 8; place++) records->sequence = records->sequence << 8 | sequence[place];
  records->owner = ++ciphers->last_owner;
  return 1;
}

void packhouse_records_end(struct packhouse_tls_records *records) {
  OPENSSL_cleanse(records, sizeof *records);
}

/// The cipher with the connection's key and `nonce` in it; NULL when OpenSSL refuses.
static EVP_CIPHER_CTX *packhouse_records_cipher(
    const struct packhouse_tls_records *records, struct packhouse_tls_ciphers *ciphers, const uint8_t *nonce) {
  const int is_long = records->key_length == 32;
  EVP_CIPHER_CTX *cipher = is_long ? ciphers->aes_256_gcm : ciphers->aes_128_gcm;
  uint64_t *owner = is_long ? &ciphers->aes_256_owner : &ciphers->aes_128_owner;
  const uint8_t *key = *owner == records->owner ? NULL : records->key;
  *owner = 0;
  if (EVP_EncryptInit_ex2(cipher, NULL, key, nonce, NULL) != 1) return NULL;
  *owner = records->owner;
  return cipher;
}

int packhouse_records_seal(
    struct packhouse_tls_records *records, struct packhouse_tls_ciphers *ciphers, uint8_t *out,
    const uint8_t *plaintext, int count) {
  if (records->sequence >= packhouse_record_limit) return -1;
  const uint8_t type = records->type != 0 ? records->type : packhouse_record_application_data;
  const int length = count + 1 + packhouse_record_tag;
  out[0] = packhouse_record_application_data;
  out[1] = 3;
  out[2] = 3;
  out[3] = (uint8_t)(length >> 8);
  out[4] = (uint8_t)length;
  uint8_t nonce[12];
  memcpy(nonce, records->iv, sizeof nonce);
  for (int place = 0; place < 8; place++) nonce[11 - place] ^= (uint8_t)(records->sequence >> (8 * place));
  uint8_t *body = out + packhouse_record_header;
  int ignored = 0;
  int written = 0;
  int ending = 0;
  EVP_CIPHER_CTX *cipher = packhouse_records_cipher(records, ciphers, nonce);
  if (cipher == NULL ||
      EVP_EncryptUpdate(cipher, NULL, &ignored, out, packhouse_record_header) != 1 ||
      EVP_EncryptUpdate(cipher, body, &written, plaintext, count) != 1 ||
      EVP_EncryptUpdate(cipher, body + written, &ending, &type, 1) != 1 ||
      EVP_EncryptFinal_ex(cipher, body + written + ending, &ignored) != 1 || written + ending != count + 1 ||
      EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, packhouse_record_tag, body + count + 1) != 1)
    return -1;
  records->sequence++;
  records->type = 0;
  // The last record under these keys (RFC 8446, section 4.6.3).
  if (type == packhouse_record_handshake && count > 0 && plaintext[0] == packhouse_handshake_key_update)
    packhouse_records_end(records);
  return packhouse_record_header + length;
}
