// Several certificates on one listener: the one whose name the client asks for (RFC 6066 section 3).
#pragma once
#include <openssl/ssl.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/// One name of one certificate: `packs.example.com` or `*.example.com`.
struct packhouse_server_name {
  const char *name;
  SSL_CTX *context;
};

/// Every name of a listener's certificates, in the order of the certificates.
struct packhouse_server_names {
  struct packhouse_server_name *entries;
  size_t count;
};

/// Whether `name`, of `length` bytes, is meant by `pattern`; a wildcard stands for exactly one label (RFC 9525
/// section 6.3).
static inline int packhouse_name_matches(const char *pattern, const char *name, size_t length) {
  size_t pattern_length = strlen(pattern);
  if (pattern_length > 2 && pattern[0] == '*' && pattern[1] == '.') {
    const char *dot = (const char *)memchr(name, '.', length);
    if (dot == NULL || dot == name) return 0;
    size_t rest = length - (size_t)(dot - name);
    return rest == pattern_length - 1 && strncasecmp(pattern + 1, dot, rest) == 0;
  }
  return pattern_length == length && strncasecmp(pattern, name, length) == 0;
}

/// The certificate for `name`: one that names it literally before one with a wildcard; NULL when there is none.
static inline SSL_CTX *packhouse_context_for(const struct packhouse_server_names *names, const char *name) {
  size_t length = strlen(name);
  if (length > 0 && name[length - 1] == '.') length -= 1;
  for (int wildcards = 0; wildcards <= 1; wildcards += 1) {
    for (size_t index = 0; index < names->count; index += 1) {
      const struct packhouse_server_name *entry = &names->entries[index];
      if ((entry->name[0] == '*') == wildcards && packhouse_name_matches(entry->name, name, length))
        return entry->context;
    }
  }
  return NULL;
}

static int packhouse_choose_certificate(SSL *ssl, int *alert, void *argument) {
  (void)alert;
  const char *name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
  if (name == NULL) return SSL_TLSEXT_ERR_NOACK;
  SSL_CTX *context = packhouse_context_for((const struct packhouse_server_names *)argument, name);
  // A name that nobody has gets the default certificate: the client decides whether that will do.
  if (context != NULL && context != SSL_get_SSL_CTX(ssl)) SSL_set_SSL_CTX(ssl, context);
  return context == NULL ? SSL_TLSEXT_ERR_NOACK : SSL_TLSEXT_ERR_OK;
}

/// Lets `context` choose among `names`, which must outlive it; 1 on success.
static inline int packhouse_choose_by_name(SSL_CTX *context, struct packhouse_server_names *names) {
  return SSL_CTX_set_tlsext_servername_callback(context, packhouse_choose_certificate) == 1 &&
         SSL_CTX_set_tlsext_servername_arg(context, names) == 1;
}

/// Asks every client for a certificate of an authority in the context's store, and refuses those without one.
static inline void packhouse_require_client_certificate(SSL_CTX *context) {
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
}
