// SPDX-License-Identifier: Apache-2.0
#include "remote/blob/pq_library.h"

#include <dlfcn.h>

namespace kingpost {

namespace {

template <class Function>
bool FindIn(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function != nullptr;
}

Result<const PqLibrary*> LoadPq() {
  void* handle = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    return Status(Code::kUnavailable,
                  "state in PostgreSQL needs libpq.so.5: install libpq (the package libpq5 of Debian and Ubuntu)");
  }
  static PqLibrary library;
  const bool complete =
      FindIn(handle, "PQconnectdbParams", &library.connect) && FindIn(handle, "PQfinish", &library.finish) &&
      FindIn(handle, "PQstatus", &library.status) && FindIn(handle, "PQerrorMessage", &library.error_message) &&
      FindIn(handle, "PQbackendPID", &library.backend_pid) &&
      FindIn(handle, "PQsetNoticeProcessor", &library.set_notice_processor) &&
      FindIn(handle, "PQsendQueryParams", &library.send_query) && FindIn(handle, "PQgetResult", &library.get_result) &&
      FindIn(handle, "PQresultStatus", &library.result_status) &&
      FindIn(handle, "PQresultErrorField", &library.result_error_field) && FindIn(handle, "PQntuples", &library.rows) &&
      FindIn(handle, "PQnfields", &library.columns) && FindIn(handle, "PQgetvalue", &library.value) &&
      FindIn(handle, "PQgetlength", &library.length) && FindIn(handle, "PQcmdTuples", &library.affected) &&
      FindIn(handle, "PQclear", &library.clear) && FindIn(handle, "PQenterPipelineMode", &library.enter_pipeline) &&
      FindIn(handle, "PQexitPipelineMode", &library.exit_pipeline) &&
      FindIn(handle, "PQpipelineSync", &library.pipeline_sync) && FindIn(handle, "PQconndefaults", &library.defaults) &&
      FindIn(handle, "PQconninfoFree", &library.free_defaults);
  if (!complete) {
    return Status(Code::kUnavailable, "state in PostgreSQL needs libpq of PostgreSQL 14 or newer: upgrade libpq5");
  }
  return &library;
}

}  // namespace

Result<const PqLibrary*> PqLibrary::Get() {
  static const Result<const PqLibrary*> library = LoadPq();
  return library;
}

}  // namespace kingpost
