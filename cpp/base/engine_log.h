// SPDX-License-Identifier: Apache-2.0
// The log of what the command does (--verbose): lines of a level, for people who look for why something went wrong. Off
// unless the command line asks for it; then a level that is not wanted costs one read of an integer. One for the
// process, as its standard error is. decisions/ and model/ have nothing to tell. Any thread.
//
//     if (IsLogEnabled(5)) WriteLog(5, "starting " + path);
//
//   0  warnings and errors                        7  each call of a provider
//   1  the command, messages                      9  each request of the program
//   3  plugins: where they were found            11  each event, whole
//   5  processes, steps of resources
#pragma once

#include <functional>
#include <string>

namespace kingpost {

using LogSink = std::function<void(int level, const std::string& line)>;

// Once, before other threads are started. The sink is called by any thread.
void StartLog(int level_max, LogSink sink);
bool IsLogEnabled(int level);
void WriteLog(int level, const std::string& line);

}  // namespace kingpost
