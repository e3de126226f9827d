// Macros and variadic functions of <openssl/x509.h>, <openssl/x509v3.h> and <openssl/evp.h> that Swift cannot
// import, as functions of the same names with a prefix.
#pragma once
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/// A fresh key on the curve P-256, or NULL with the reason in the error queue.
static inline EVP_PKEY *packhouse_generate_P256(void) { return EVP_EC_gen("P-256"); }

/// Prints a distinguished name as RFC 2253 writes it, with UTF-8 left as it is; negative when that failed.
static inline int packhouse_print_name(BIO *bio, const X509_NAME *name) {
  return X509_NAME_print_ex(bio, name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
}

/// The bytes that a memory BIO holds; they belong to the BIO.
static inline long packhouse_BIO_get_mem_data(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

/// Adds an extension written as in OpenSSL's configuration files; 1 when it was added.
static inline int packhouse_add_extension(X509 *certificate, X509 *issuer, int nid, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
  if (extension == NULL) return 0;
  int added = X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
  return added;
}

static inline int packhouse_sk_GENERAL_NAME_num(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }
static inline GENERAL_NAME *packhouse_sk_GENERAL_NAME_value(const GENERAL_NAMES *names, int index) {
  return sk_GENERAL_NAME_value(names, index);
}
/// The subject alternative names, to be freed with GENERAL_NAMES_free; NULL when there are none.
static inline GENERAL_NAMES *packhouse_subject_alternative_names(const X509 *certificate) {
  return (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
}
