// What looking at certificates needs of OpenSSL's macros, as functions with a prefix.
#pragma once
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/// The most certificates of a chain that are looked at.
#define PACKHOUSE_CHAIN_LIMIT 16

/// Builds the chain of `leaf` over `others` (not trusted) to an authority of `store`, whatever the dates are. Returns
/// X509_V_OK or the reason. `chain` gets up to PACKHOUSE_CHAIN_LIMIT certificates, to be freed with X509_free.
static inline int packhouse_verify_chain(
  X509 *leaf, X509 *const *others, size_t count, X509_STORE *store, X509 **chain, size_t *length) {
  *length = 0;
  STACK_OF(X509) *stack = sk_X509_new_null();
  X509_STORE_CTX *context = X509_STORE_CTX_new();
  int result = X509_V_ERR_OUT_OF_MEM;
  if (stack != NULL && context != NULL) {
    for (size_t index = 0; index < count; index++) sk_X509_push(stack, others[index]);
    if (X509_STORE_CTX_init(context, store, leaf, stack) == 1) {
      X509_STORE_CTX_set_flags(context, X509_V_FLAG_NO_CHECK_TIME);
      X509_verify_cert(context);
      result = X509_STORE_CTX_get_error(context);
      STACK_OF(X509) *built = X509_STORE_CTX_get0_chain(context);
      for (int index = 0; built != NULL && index < sk_X509_num(built) && *length < PACKHOUSE_CHAIN_LIMIT; index++) {
        X509 *certificate = sk_X509_value(built, index);
        if (X509_up_ref(certificate) == 1) chain[(*length)++] = certificate;
      }
    }
  }
  X509_STORE_CTX_free(context);
  sk_X509_free(stack);
  return result;
}

/// The certificates that a server sent, its own first; at most PACKHOUSE_CHAIN_LIMIT, to be freed with X509_free.
static inline size_t packhouse_peer_chain(const SSL *connection, X509 **chain) {
  STACK_OF(X509) *sent = SSL_get_peer_cert_chain(connection);
  size_t length = 0;
  for (int index = 0; sent != NULL && index < sk_X509_num(sent) && length < PACKHOUSE_CHAIN_LIMIT; index++) {
    X509 *certificate = sk_X509_value(sent, index);
    if (X509_up_ref(certificate) == 1) chain[length++] = certificate;
  }
  return length;
}

static inline const char *packhouse_cipher_name(const SSL *connection) { return SSL_get_cipher_name(connection); }
