// SPDX-License-Identifier: Apache-2.0
// The monitor: decides what the program's requests mean, and hands those about resources on (resource_requests.h, group
// 1). Owns what has to be remembered between requests: package references, providers of components, goals of parents.
// Engine thread.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "decisions/provider_choice.h"
#include "engine/default_providers.h"
#include "engine/hooks.h"
#include "engine/published_resources.h"
#include "engine/resource_requests.h"
#include "engine/settled_resources.h"
#include "engine/source_positions.h"
#include "engine/state_migration.h"
#include "engine/transforms.h"
#include "kingpost/monitor.h"

namespace kingpost::engine {

struct MonitorParts : RunParts {
  ResourceRequests& requests;
  DefaultProviders& defaults;
  PublishedResources* published;  // null: nobody waits for registrations
};

class MonitorService : public Monitor {
 public:
  explicit MonitorService(MonitorParts parts);

  DeploymentInfo GetDeploymentInfo() override;
  bool SupportsFeature(const std::string& id) override;
  Task<Result<RegisterResourceResponse>> RegisterResource(RegisterResourceRequest request) override;
  Task<Status> RegisterResourceOutputs(std::string urn, PropertyMap outputs) override;
  Task<Result<ReadResourceResponse>> ReadResource(ReadResourceRequest request) override;
  Task<Result<ExistsResourceResponse>> ExistsResource(ExistsResourceRequest request) override;
  Task<Result<ResourceInvokeResponse>> Invoke(ResourceInvokeRequest request) override;
  Task<Result<CallResponse>> Call(ResourceCallRequest request) override;
  Task<Status> RegisterStackTransform(Callback callback) override;
  Task<Status> RegisterStackInvokeTransform(Callback callback) override;
  Task<Status> RegisterResourceHook(std::string name, Callback callback, bool on_dry_run, bool ignore_errors) override;
  Task<Status> RegisterErrorHook(std::string name, Callback callback) override;
  Task<Result<std::string>> RegisterPackage(RegisterPackageRequest request) override;
  Task<Status> SignalAndWaitForShutdown() override;

  // Where programs and providers reach this monitor; known once it is served.
  void set_address(std::string address) { address_ = std::move(address); }
  const std::string& address() const { return address_; }
  // Set when the program says that no more registrations come.
  Event& signalled() { return signalled_; }
  // Nothing more is registered or read: what the program did not register is deleted from here on. A registration now
  // would take the resource for one that is still there.
  void Seal() { sealed_ = true; }
  // Lets SignalAndWaitForShutdown return.
  void Shutdown() { shut_down_.Set(); }
  // The run has been stopped: providers that construct components are not waited for, as they may wait for answers
  // that they do not get any more.
  void AbandonConstructions();
  // Lets the calls go that a stopped run holds back.
  void ReleaseHeld() { released_.Set(); }
  // Resumes when no registration, read or registration of outputs is under way.
  Task<void> Idle();

  // A component whose provider cannot be asked to construct it yet (row 8.12).
  Task<Result<Urn>> RegisterInPlace(std::string type, std::string name, Urn parent);

 private:
  // A request on its way to a goal: what is asked for is changed in place until the goal is taken out of it.
  struct GoalDraft {
    RegisterResourceRequest request;
    std::vector<Callback> own_transforms;
    std::string provider_reference;
    std::map<std::string, std::string> provider_references;  // of what a remote component makes
  };
  Task<Result<RegisterResourceResponse>> Register(RegisterResourceRequest request);
  Task<Result<ReadResourceResponse>> Read(ReadResourceRequest request);
  Task<Result<ExistsResourceResponse>> Exists(ExistsResourceRequest request);
  // The run has ended well. A program that has waited for that may ask for more, but nothing is done any more.
  bool closed() const;
  // Once the run has been stopped, the program gets no answer until its connection ends.
  Task<void> HoldIfStopped(Status answer);
  Task<Status> Prepare(GoalDraft* r);
  // What children take from a parent where they say nothing themselves: inherited options and the provider.
  std::shared_ptr<const Goal> ForChildren(const Goal& parent);
  void InheritFromParent(RegisterResourceRequest* request) const;
  Task<Status> Transform(GoalDraft* r);
  Task<Status> ChooseProviders(GoalDraft* r);
  Status AddProviderInputs(RegisterResourceRequest* request) const;
  Status Complete(GoalDraft* r);
  Task<Result<RegisterResourceResponse>> RegisterLocal(GoalDraft* r);
  Task<Result<RegisterResourceResponse>> Construct(GoalDraft* r);
  void Remember(GoalDraft* r, const Urn& urn, const Goal& goal, const std::string& id);
  void Publish(const Goal& goal, const State& state) const;
  // Nothing if the construction was abandoned.
  using ConstructResult = std::optional<Result<ConstructResponse>>;
  Task<ConstructResult> ConstructUnlessStopped(ProviderPtr provider, ConstructRequest request);

  std::string ResolveProvider(const std::string& explicit_reference,
                              const std::map<std::string, std::string>& providers, const Urn& parent,
                              const std::string& package) const;
  Result<ProviderRequest> RequestFor(const std::string& package, const std::string& version, const std::string& url,
                                     const std::map<std::string, std::string>& checksums,
                                     const std::string& package_ref) const;
  // The reference given, or the default provider's.
  Task<Result<std::string>> ReferenceFor(ProviderRequest request, std::string given);
  struct CallTarget {
    std::string provider, token, package_ref;
  };
  // The provider that is given, or the default one, with the extension that the package may be.
  Task<Result<ProviderPtr>> ProviderFor(ProviderRequest request, CallTarget target);
  // Whose provider is asked to read, and which one is given.
  struct ReadTarget {
    std::string type, provider, version, plugin_download_url, package_ref;
    std::map<std::string, std::string> plugin_checksums;
  };
  Task<Result<std::string>> ReferenceToRead(ReadTarget target);
  static Status CheckTypeToken(const std::string& type);
  Result<Urn> ParseParent(const std::string& text) const;
  Task<Status> EnsureExtended(std::string reference, std::string package_ref);
  // The explicit provider of a custom resource, if it serves the package; else "".
  std::string ProviderOfParent(const Urn& parent, const std::string& package) const;
  Result<std::string> ProviderOfSelf(const ResourceCallRequest& request, ProviderRequest* fallback) const;
  ConstructInfo MakeConstructInfo() const;
  Status Abort(Status reply);

  class Busy {
   public:
    explicit Busy(MonitorService* owner);
    ~Busy();
    Busy(const Busy&) = delete;

   private:
    MonitorService* owner_;
  };

  MonitorParts parts_;
  Transforms transforms_;
  MigrationsOfComponents migrations_of_components_;
  SettledResources settled_;
  SourcePositions positions_;
  std::string address_;
  Event signalled_, shut_down_, released_;
  bool sealed_ = false;
  bool signal_taken_ = false;
  int busy_ = 0;
  int64_t questions_ = 0;  // whether a resource exists
  std::shared_ptr<Event> idle_;
  std::list<Completion<ConstructResult>> constructing_;

  std::unordered_map<Urn, std::map<std::string, std::string>> component_providers_;
  std::unordered_map<Urn, std::shared_ptr<const Goal>> for_children_;  // by parent; most share one
  std::shared_ptr<const Goal> last_for_children_;
  std::unordered_map<std::string, ProviderRequest> packages_;     // by reference
  std::unordered_map<std::string, Parameterization> extensions_;  // by reference
};

}  // namespace kingpost::engine
