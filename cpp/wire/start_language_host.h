// SPDX-License-Identifier: Apache-2.0
// Language hosts: what runs the project's program (row 9.7). Three kinds stand behind the one seam:
//   attached   a server someone else runs: --client=HOST:PORT (the Automation API's inline programs) and
//              PULUMI_DEBUG_LANGUAGES=NAME:PORT
//   native     Python, Node.js and Go, started by ourselves: no host process, so a run begins a second sooner; and
//              YAML, which needs no process at all
//   plugin     pulumi-language-NAME: from Pulumi.yaml, PATH or the plugin cache, for every other runtime
// Loop thread.
#pragma once

#include "runtimes/language_host.h"

namespace kingpost {

// The project's language host, ready to run. Errors name the runtime and the remedy.
Task<Result<LanguageHostPtr>> StartLanguageHost(Loop& loop, LanguageHostOptions options);

}  // namespace kingpost
