// SPDX-License-Identifier: Apache-2.0
#include "cli/operations/event_listener.h"

#include <ctime>

#include "console/display/event_json.h"
#include "wire/events_client.h"

namespace kingpost {

namespace {

class EventListener : public EventConsumer {
 public:
  EventListener(std::unique_ptr<EventsClient> client, std::shared_ptr<const Masking> masking)
      : client_(std::move(client)), masking_(std::move(masking)) {}

  void Consume(const EngineEvent& event) override {
    if (client_->failed()) return;
    client_->Send(EncodeEvent(event, sequence_++, std::time(nullptr), *masking_));
  }
  void Finish() override { client_->Close(); }

 private:
  const std::unique_ptr<EventsClient> client_;
  const std::shared_ptr<const Masking> masking_;
  int64_t sequence_ = 0;
};

}  // namespace

Result<std::unique_ptr<EventConsumer>> NewEventListener(const std::string& url,
                                                        std::shared_ptr<const Masking> masking) {
  Result<std::unique_ptr<EventsClient>> client = EventsClient::Open(url);
  if (!client.ok()) return client.status();
  std::unique_ptr<EventConsumer> listener = std::make_unique<EventListener>(std::move(*client), std::move(masking));
  return listener;
}

}  // namespace kingpost
