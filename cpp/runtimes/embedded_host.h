// SPDX-License-Identifier: Apache-2.0
// Runs programs in this process, whose language needs none of its own (kingpost/embedded_language.h). Loop thread.
#pragma once

#include "runtimes/language_host.h"

namespace kingpost {

// `options.in_process.language` is there.
LanguageHostPtr EmbeddedHost(Loop& loop, LanguageHostOptions options);

}  // namespace kingpost
