// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kingpost {

// gRPC 1.51 ends its event engine with the last channel and server, and may abort there: its poller closes descriptors
// on which another of its threads still waits. After this call the engine lasts until the process ends. Any thread.
void KeepGrpcRunning();

}  // namespace kingpost
