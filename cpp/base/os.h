// SPDX-License-Identifier: Apache-2.0
// Facts of the operating system: environment variables, and which of their texts mean yes; folders of the user and of
// this process; contents of files. Any thread, as long as none changes the environment.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace kingpost {

std::string GetEnvironment(const char* name);                  // "" if unset
std::optional<std::string> FindEnvironment(const char* name);  // where unset is not the same as empty

bool IsTruthy(const std::string& text);  // "1", "true" in any case

// Whether a switch is on. `former` is the name that it had before, and counts where the present one is unset.
bool IsTrueVariable(const char* name, const char* former = nullptr);

std::string TemporaryFilesFolder();  // the folder for them: $TMPDIR, or /tmp
std::string UserHome();              // $HOME, else as the user database has it; "" if neither has one
std::string PulumiHome();            // $PULUMI_HOME, else ~/.pulumi: plugins, credentials, selections
// The file of this very process; "" if it cannot be told.
std::string OwnExecutable();
std::string CurrentFolder();  // "." if it is gone
std::string HostName();       // of this machine
std::string UserName();       // as the user database has it, else $USER, else the number

// kNotFound if there is none.
Result<std::string> ReadWholeFile(const std::string& path);
// Blocking; writes all of it or fails.
Status WriteAll(int file, std::string_view bytes, const std::string& path);

// The sentence for errno: "PATH: cannot DO: No space left on device", with a code that tells the kind.
Status FileError(const std::string& path, const std::string& action, int error);

}  // namespace kingpost
