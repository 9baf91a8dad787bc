// SPDX-License-Identifier: Apache-2.0
#include "processes/file_passing.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cstring>

#include "base/status.h"

namespace kingpost {

bool SendWithFiles(int socket, const void* bytes, size_t size, std::initializer_list<int> files) {
  KP_ASSERT(files.size() <= kPassedFilesMax, "so many files fit into a packet");
  iovec part = {const_cast<void*>(bytes), size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kPassedFilesMax)] = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (files.size() > 0) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * files.size());
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * files.size());
    memcpy(CMSG_DATA(header), files.begin(), sizeof(int) * files.size());
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL) >= 0;
}

}  // namespace kingpost
