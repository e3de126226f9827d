// What the check of ECDSA signatures needs of <openssl/evp.h>: macros and names that Swift cannot import.
#pragma once
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <string.h>

/// Whether `key` is a valid point of the curve P-256, given by its name; 1 when it is.
static inline int packhouse_is_P256(EVP_PKEY *key) {
  char name[64];
  size_t length = 0;
  if (EVP_PKEY_is_a(key, "EC") != 1) return 0;
  if (EVP_PKEY_get_group_name(key, name, sizeof name, &length) != 1) return 0;
  if (strcmp(name, "prime256v1") != 0 && strcmp(name, "P-256") != 0) return 0;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
  if (context == NULL) return 0;
  int valid = EVP_PKEY_public_check(context);
  EVP_PKEY_CTX_free(context);
  return valid == 1;
}

/// Whether `signature` (DER) is one of `key` over the SHA-256 of `message`; 1 when it is.
static inline int packhouse_verify_sha256(
    EVP_PKEY *key, const unsigned char *signature, size_t signature_length, const unsigned char *message,
    size_t message_length) {
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  if (context == NULL) return 0;
  int valid = EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, key) == 1 &&
              EVP_DigestVerify(context, signature, signature_length, message, message_length) == 1;
  EVP_MD_CTX_free(context);
  return valid;
}
