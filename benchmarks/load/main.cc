// SPDX-License-Identifier: Apache-2.0
// kp_load: the generated program and its provider, on one port. Prints the port, serves until its input ends, then
// prints what it was asked and what that cost it, as JSON.
//
//   kp_load --shape wide|layers|components --count N [--changed K] [--latency-ms MS] [--in-flight-max N]
#include "wire/wire.h"

#include <grpcpp/server_builder.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>

#include "load/program.h"
#include "load/provider.h"

namespace kingpost::bench {
namespace {

double CpuSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) { return time.tv_sec + time.tv_usec / 1e6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

nlohmann::json Account(const Provider& provider) {
  nlohmann::json account = {{"cpu_s", CpuSeconds()}};
  for (size_t i = 0; i < kCallNames.size(); ++i) {
    const CallCount& count = provider.count(static_cast<Asked>(i));
    account["calls"][kCallNames[i]] = count.calls.load();
    account["in_flight_max"][kCallNames[i]] = count.in_flight_max.load();
  }
  return account;
}

int Serve(ProgramOptions options, std::chrono::milliseconds latency) {
  Program program(std::move(options));
  Provider provider(latency);
  int port = 0;
  grpc::ServerBuilder builder;
  builder.SetMaxReceiveMessageSize(-1);
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&program);
  builder.RegisterService(&provider);
  const auto server = builder.BuildAndStart();
  if (!server) {
    std::cerr << "kp_load: cannot listen on 127.0.0.1\n";
    return 1;
  }
  std::cout << port << std::endl;
  std::string line;
  while (std::getline(std::cin, line)) {
  }
  std::cout << Account(provider).dump() << std::endl;
  server->Shutdown(std::chrono::system_clock::now());
  return 0;
}

}  // namespace
}  // namespace kingpost::bench

int main(int argc, char** argv) {
  CLI::App app("The generated program and its provider");
  std::string shape = "wide";
  int count = 1000, latency_ms = 0;
  kingpost::bench::ProgramOptions options;
  app.add_option("--shape", shape, "wide, layers or components");
  app.add_option("--count", count, "custom resources")->check(CLI::PositiveNumber);
  app.add_option("--changed", options.changed, "how many of them have another input than before");
  app.add_option("--latency-ms", latency_ms, "how long each answer of the provider takes");
  app.add_option("--in-flight-max", options.in_flight_max, "registrations at a time")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);

  auto graph = kingpost::bench::MakeGraph(shape, count);
  if (!graph) {
    std::cerr << "kp_load: there is no shape " << shape << "; choose wide, layers or components\n";
    return 2;
  }
  options.graph = std::move(*graph);
  return kingpost::bench::Serve(std::move(options), std::chrono::milliseconds(latency_ms));
}
