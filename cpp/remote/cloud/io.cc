// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/io.h"

#include <openssl/rand.h>

#include <chrono>
#include <thread>

namespace kingpost {

namespace {

int64_t SystemNowMs() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

double SystemChance() {
  uint32_t bits = 0;
  if (RAND_bytes(reinterpret_cast<unsigned char*>(&bits), sizeof bits) != 1) return 0.5;
  return bits / 4294967295.0;
}

std::shared_ptr<const CloudIo> MakeSystemIo() {
  auto connections = std::make_shared<HttpConnections>();
  auto io = std::make_shared<CloudIo>();
  io->send = [connections](const HttpRequest& request) { return connections->Send(request); };
  io->now_ms = SystemNowMs;
  io->sleep_ms = [](int64_t ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); };
  io->chance = SystemChance;
  return io;
}

}  // namespace

std::shared_ptr<const CloudIo> SystemCloudIo() {
  // Never destroyed: a worker may still wait for an answer while the process ends.
  static const auto* const io = new std::shared_ptr<const CloudIo>(MakeSystemIo());
  return *io;
}

}  // namespace kingpost
