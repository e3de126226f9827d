// Session tickets (RFC 5077 section 4, RFC 8446 section 4.6.1) under keys that rotate and are shared by all contexts of a
// listener.
#pragma once
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#define PACKHOUSE_TICKET_KEYS 3

/// What one ticket key is: AES-256-CBC for secrecy, HMAC-SHA256 over it, and a name by which it is found again.
struct packhouse_ticket_key {
  uint8_t name[16];
  uint8_t cipher[32];
  uint8_t mac[32];
};

/// The newest key first; `count` of them are in use. The lock guards both. The cipher is looked up once, because that costs
/// as much as a ticket; without it OpenSSL looks for it each time.
struct packhouse_ticket_keys {
  EVP_CIPHER *cipher;
  pthread_rwlock_t lock;
  int count;
  struct packhouse_ticket_key keys[PACKHOUSE_TICKET_KEYS];
};

/// Puts 80 random bytes in front as the new key; the oldest key beyond the third is forgotten.
static inline void packhouse_tickets_rotate(struct packhouse_ticket_keys *keys, const uint8_t *random) {
  pthread_rwlock_wrlock(&keys->lock);
  memmove(&keys->keys[1], &keys->keys[0], sizeof keys->keys[0] * (PACKHOUSE_TICKET_KEYS - 1));
  memcpy(&keys->keys[0], random, sizeof keys->keys[0]);
  if (keys->count < PACKHOUSE_TICKET_KEYS) keys->count += 1;
  pthread_rwlock_unlock(&keys->lock);
}

static int packhouse_ticket_prepare(
    const EVP_CIPHER *kind, const struct packhouse_ticket_key *key, const unsigned char *iv, EVP_CIPHER_CTX *cipher,
    EVP_MAC_CTX *mac, int encrypts) {
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, (void *)key->mac, sizeof key->mac),
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"sha256", 0),
      OSSL_PARAM_construct_end(),
  };
  return EVP_CipherInit_ex(cipher, kind, NULL, key->cipher, iv, encrypts) == 1 &&
                 EVP_MAC_CTX_set_params(mac, parameters) == 1
             ? 1
             : -1;
}

/// OpenSSL asks for the key of a ticket that is made (`encrypts`) or has come in.
static int packhouse_ticket_key_for(
    SSL *ssl, unsigned char *name, unsigned char *iv, EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac, int encrypts) {
  struct packhouse_ticket_keys *keys =
      (struct packhouse_ticket_keys *)SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
  if (keys == NULL) return 0;
  struct packhouse_ticket_key key;
  int found = -1;
  pthread_rwlock_rdlock(&keys->lock);
  for (int index = 0; index < (encrypts ? 1 : keys->count); index += 1) {
    if (!encrypts && memcmp(name, keys->keys[index].name, sizeof key.name) != 0) continue;
    key = keys->keys[index];
    found = index;
    break;
  }
  pthread_rwlock_unlock(&keys->lock);
  const EVP_CIPHER *kind = keys->cipher != NULL ? keys->cipher : EVP_aes_256_cbc();
  // A ticket of a key that is gone is no fault: the handshake is a full one.
  if (found < 0) return encrypts ? -1 : 0;
  int result;
  if (encrypts) {
    memcpy(name, key.name, sizeof key.name);
    result = RAND_bytes(iv, EVP_CIPHER_iv_length(kind)) == 1
                 ? packhouse_ticket_prepare(kind, &key, iv, cipher, mac, 1)
                 : -1;
  } else {
    result = packhouse_ticket_prepare(kind, &key, iv, cipher, mac, 0);
    // 2 asks for a new ticket: an older key will be forgotten, and TLS 1.3 uses a ticket once.
    if (result == 1 && (found > 0 || SSL_version(ssl) >= TLS1_3_VERSION)) result = 2;
  }
  OPENSSL_cleanse(&key, sizeof key);
  return result;
}

/// Uses `keys`, which must outlive the context and all its connections; 1 on success.
static inline int packhouse_use_tickets(SSL_CTX *context, struct packhouse_ticket_keys *keys) {
  return SSL_CTX_set_app_data(context, keys) == 1 &&
         SSL_CTX_set_tlsext_ticket_key_evp_cb(context, packhouse_ticket_key_for) == 1;
}
