#ifndef WEIR_COpenSSL_SHIM_H
#define WEIR_COpenSSL_SHIM_H
#include <openssl/evp.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/hmac.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/core_names.h>
#include <openssl/err.h>

/* EVP_EC_gen is a macro over a variadic function, which Swift cannot import. */
static inline EVP_PKEY *weir_EVP_EC_gen(const char *curve) { return EVP_EC_gen(curve); }
#endif
