// The C interface between Tessera and an engine, a shared object that connects
// processes (libtessera_gloo.so): loaded when a job asks for it, so that its
// libraries are needed only then. An engine is of the same build as its user.
#ifndef XLA_DISTRIBUTED_ENGINE_API_H_
#define XLA_DISTRIBUTED_ENGINE_API_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TESSERA_ENGINE_VERSION 1
// The only function that an engine exports.
#define TESSERA_ENGINE_FUNCTION "TesseraGetEngine"

// Codes of absl::StatusCode; 0: no error.
typedef struct TesseraEngineError {
  int code;
  char message[1020];
} TesseraEngineError;

// Functions of the store; each returns 0 or sets `error`. `get` waits, and
// gives memory that `free_value` takes back.
typedef struct TesseraEngineStore {
  void* context;
  int (*put)(void* context, const char* key, const void* value, size_t size,
             TesseraEngineError* error);
  int (*get)(void* context, const char* key, int64_t timeout_ms, void** value,
             size_t* size, TesseraEngineError* error);
  void (*free_value)(void* value);
} TesseraEngineStore;

typedef struct TesseraEngineOptions {
  int process;
  int num_processes;
  const char* address;  // of this host, a number: where to listen
  int64_t connect_timeout_ms;
  const TesseraEngineStore* store;  // for the time of connect
} TesseraEngineOptions;

typedef struct TesseraEngineConnection TesseraEngineConnection;
typedef struct TesseraEngineTransfer TesseraEngineTransfer;

// Functions are thread safe and return null, or not 0, after setting `error`.
typedef struct TesseraEngine {
  int version;  // TESSERA_ENGINE_VERSION
  const char* name;
  TesseraEngineConnection* (*connect)(const TesseraEngineOptions* options,
                                      TesseraEngineError* error);
  // After abort, or when nothing is under way.
  void (*disconnect)(TesseraEngineConnection* connection);
  TesseraEngineTransfer* (*send)(TesseraEngineConnection* connection, int peer,
                                 uint64_t key, const void* data, size_t bytes,
                                 TesseraEngineError* error);
  TesseraEngineTransfer* (*receive)(TesseraEngineConnection* connection,
                                    int peer, uint64_t key, void* data,
                                    size_t bytes, TesseraEngineError* error);
  // Waits up to timeout_ms. The transfer remains until `release`.
  int (*wait)(TesseraEngineTransfer* transfer, int64_t timeout_ms,
              TesseraEngineError* error);
  // When it has ended, or after abort.
  void (*release)(TesseraEngineTransfer* transfer);
  // Ends all waits with an error and closes all connections. Callable again.
  void (*abort)(TesseraEngineConnection* connection);
} TesseraEngine;

typedef const TesseraEngine* (*TesseraGetEngineFunction)(void);

#ifdef __cplusplus
}
#endif

#endif  // XLA_DISTRIBUTED_ENGINE_API_H_
