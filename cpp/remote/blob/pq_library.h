// SPDX-License-Identifier: Apache-2.0
// libpq, loaded at run time by those whose state is in PostgreSQL; nobody else needs it. Any thread.
#pragma once

#include <libpq-fe.h>

#include "base/status.h"

namespace kingpost {

struct PqLibrary {
  decltype(&::PQconnectdbParams) connect = nullptr;
  decltype(&::PQfinish) finish = nullptr;
  decltype(&::PQstatus) status = nullptr;
  decltype(&::PQerrorMessage) error_message = nullptr;
  decltype(&::PQbackendPID) backend_pid = nullptr;
  decltype(&::PQsetNoticeProcessor) set_notice_processor = nullptr;
  decltype(&::PQsendQueryParams) send_query = nullptr;
  decltype(&::PQgetResult) get_result = nullptr;
  decltype(&::PQresultStatus) result_status = nullptr;
  decltype(&::PQresultErrorField) result_error_field = nullptr;
  decltype(&::PQntuples) rows = nullptr;
  decltype(&::PQnfields) columns = nullptr;
  decltype(&::PQgetvalue) value = nullptr;
  decltype(&::PQgetlength) length = nullptr;
  decltype(&::PQcmdTuples) affected = nullptr;
  decltype(&::PQclear) clear = nullptr;
  decltype(&::PQenterPipelineMode) enter_pipeline = nullptr;
  decltype(&::PQexitPipelineMode) exit_pipeline = nullptr;
  decltype(&::PQpipelineSync) pipeline_sync = nullptr;
  decltype(&::PQconndefaults) defaults = nullptr;
  decltype(&::PQconninfoFree) free_defaults = nullptr;

  // The one library of the process; it stays.
  static Result<const PqLibrary*> Get();
};

}  // namespace kingpost
