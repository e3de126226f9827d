// Processor time of TLS 1.3 data, sealed by CRecordSealing and by OpenSSL: see bench/delivery/sealing.
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "wire.h"

enum { piece = 256 * 1024 - 16 * 64, pieces = 4096, rounds = 7 };

static void check(int good, const char *what) {
  if (good) return;
  fprintf(stderr, "%s failed\n", what);
  ERR_print_errors_fp(stderr);
  exit(1);
}

static SSL_CTX *server_context(const char *cipher) {
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  EVP_PKEY *key = EVP_EC_gen("P-256");
  X509 *certificate = X509_new();
  check(context != NULL && key != NULL && certificate != NULL, "making a certificate");
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
  X509_set_pubkey(certificate, key);
  check(X509_sign(certificate, key, EVP_sha256()) > 0, "signing");
  check(SSL_CTX_use_certificate(context, certificate) == 1 && SSL_CTX_use_PrivateKey(context, key) == 1, "using it");
  check(SSL_CTX_set_ciphersuites(context, cipher) == 1, "choosing a cipher");
  SSL_CTX_set_options(context, SSL_OP_ENABLE_KTLS);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  X509_free(certificate);
  EVP_PKEY_free(key);
  return context;
}

/// Seconds of processor time for all pieces.
static double measure(SSL_CTX *context, SSL_CTX *client_context, int takes_keys, const uint8_t *content) {
  struct packhouse_tls_sink sink = {malloc(512 * 1024), 0, 512 * 1024, packhouse_ciphers_make()};
  struct packhouse_tls_wire wire = {NULL, 0, 0, takes_keys, &sink, {0}};
  static BIO_METHOD *method;
  if (method == NULL) method = packhouse_wire_method();
  SSL *server = SSL_new(context);
  SSL *client = SSL_new(client_context);
  BIO *incoming = BIO_new(BIO_s_mem());
  BIO *outgoing = BIO_new(BIO_s_mem());
  check(packhouse_wire_attach(server, method, &wire) == 1, "attaching");
  SSL_set_accept_state(server);
  SSL_set_bio(client, incoming, outgoing);
  SSL_set_connect_state(client);
  static uint8_t buffer[65536];
  for (int flight = 0; flight < 3; flight++) {
    SSL_do_handshake(client);
    const int count = BIO_read(outgoing, buffer, sizeof buffer);
    wire.input = buffer;
    wire.input_count = count > 0 ? (size_t)count : 0;
    SSL_do_handshake(server);
    if (sink.count > 0) BIO_write(incoming, sink.bytes, (int)sink.count);
    sink.count = 0;
  }
  check(SSL_is_init_finished(server) && SSL_is_init_finished(client), "the handshake");
  check((wire.records.key_length != 0) == (takes_keys != 0), "taking the keys");
  struct timespec begin, end;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  for (int turn = 0; turn < pieces; turn++) {
    sink.count = 0;
    check(SSL_write(server, content, piece) == piece, "writing");
  }
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  SSL_free(server);
  SSL_free(client);
  packhouse_ciphers_free(&sink.ciphers);
  free(sink.bytes);
  return (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
}

static int ascending(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

int main(void) {
  uint8_t *content = malloc(piece);
  for (int place = 0; place < piece; place++) content[place] = (uint8_t)(place * 13 + (place >> 9));
  SSL_CTX *client = SSL_CTX_new(TLS_client_method());
  printf("%s\n", OpenSSL_version(OPENSSL_VERSION));
  const char *ciphers[] = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"};
  for (int which = 0; which < 2; which++) {
    SSL_CTX *server = server_context(ciphers[which]);
    double ratios[rounds];
    measure(server, client, 1, content);
    for (int round = 0; round < rounds; round++) {
      const double sealed = measure(server, client, 1, content);
      ratios[round] = sealed / measure(server, client, 0, content);
    }
    qsort(ratios, rounds, sizeof ratios[0], ascending);
    printf("%-24s sealed to OpenSSL, CPU per byte: %.2f (%.2f to %.2f)\n", ciphers[which], ratios[rounds / 2],
           ratios[0], ratios[rounds - 1]);
    SSL_CTX_free(server);
  }
  SSL_CTX_free(client);
  free(content);
  return 0;
}
