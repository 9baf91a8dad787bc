// SPDX-License-Identifier: Apache-2.0
// Language hosts that speak pulumirpc.LanguageRuntime: plugins that we start, and servers that are there already
// (row 9.7). Whatever a host does not implement, but Run, is done without. Loop thread.
#pragma once

#include "wire/wire.h"

#include "runtimes/language_host.h"

namespace kingpost {

// --client: the program itself is the server. It dies with its caller, not with us.
LanguageHostPtr AttachLanguageHost(Loop& loop, LanguageHostOptions options);
// PULUMI_DEBUG_LANGUAGES: someone debugs the host.
Task<Result<LanguageHostPtr>> AttachLanguagePlugin(Loop& loop, LanguageHostOptions options, int port);
// pulumi-language-RUNTIME.
Task<Result<LanguageHostPtr>> StartLanguagePlugin(Loop& loop, LanguageHostOptions options);

}  // namespace kingpost
