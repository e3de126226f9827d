// Library contexts, OSSL_LIB_CTX(3).
#pragma once
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <openssl/x509.h>

/// A new library context with OpenSSL's default algorithms. NULL when memory is short, and where the system's
/// configuration asks for others (FIPS), which only the process's own context knows of.
static inline OSSL_LIB_CTX *packhouse_library_context_make(void) {
  if (OSSL_PROVIDER_available(NULL, "default") != 1 || EVP_default_properties_is_fips_enabled(NULL)) return NULL;
  return OSSL_LIB_CTX_new();
}

/// Reads the next certificate, whose key then works in `library`; NULL when there is none.
static inline X509 *packhouse_read_certificate(BIO *from, OSSL_LIB_CTX *library) {
  X509 *certificate = X509_new_ex(library, NULL);
  if (certificate != NULL && PEM_read_bio_X509(from, &certificate, NULL, NULL) == NULL) {
    X509_free(certificate);
    certificate = NULL;
  }
  return certificate;
}
