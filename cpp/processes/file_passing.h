// SPDX-License-Identifier: Apache-2.0
// Open files for another process, with a packet through a Unix socket. Any thread.
#pragma once

#include <cstddef>
#include <initializer_list>

namespace kingpost {

constexpr size_t kPassedFilesMax = 4;

// The files stay open here. False if the other side is gone.
bool SendWithFiles(int socket, const void* bytes, size_t size, std::initializer_list<int> files);

}  // namespace kingpost
