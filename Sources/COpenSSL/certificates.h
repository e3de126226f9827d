// Macros of <openssl/x509.h> and <openssl/evp.h> that Swift cannot import.
#pragma once
#include <openssl/evp.h>
#include <openssl/x509.h>
