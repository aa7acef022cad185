#ifndef WEIR_COpenSSL_SHIM_H
#define WEIR_COpenSSL_SHIM_H
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>
#endif
