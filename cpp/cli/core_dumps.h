// SPDX-License-Identifier: Apache-2.0
// The memory of the command holds secrets in clear.
#pragma once

namespace kingpost {

// No core file of a crash has this process's memory in it, wherever the system puts such files. Only root can attach a
// debugger or read its memory and environment through /proc. Programs and plugins decide for themselves: they begin
// with what is usual. KINGPOST_CORE_DUMPS=true leaves all as it is.
void ProtectProcessMemory();

}  // namespace kingpost
