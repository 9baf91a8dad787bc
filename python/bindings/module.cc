// SPDX-License-Identifier: Apache-2.0
// _kingpost: the extension module. It holds what needs C++ (sessions, runs, values); everything a user sees is Python,
// in the package beside it.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "bindings/direct_line.h"
#include "bindings/events.h"
#include "bindings/fleet.h"
#include "bindings/host.h"  // wire/wire.h wants to be before gRPC's headers
#include "bindings/library.h"
#include "bindings/library_store.h"
#include "bindings/outcome.h"
#include "bindings/run_settings.h"
#include "bindings/session.h"
#include "bindings/values.h"

namespace py = pybind11;

namespace kingpost::python {

namespace {

// Becomes a kingpost._kingpost.Failure(message, kind).
struct Failure : std::runtime_error {
  explicit Failure(const Status& status) : std::runtime_error(status.message()), kind(KindOfFailure(status)) {}
  const std::string kind;
};

void Check(const Status& status) {
  if (!status.ok()) throw Failure(status);
}

template <class T>
T Taken(Result<T> result) {
  Check(result.status());
  return std::move(*result);
}

std::shared_ptr<Session> OpenSession(const std::string& project, const std::string& stack,
                                     const std::string& organization, const py::object& backend,
                                     std::optional<std::string> passphrase, std::string secrets_provider) {
  SessionOptions options;
  options.project = project;
  options.stack = stack;
  options.organization = organization;
  const bool named = py::isinstance<py::str>(backend);
  options.backend = named ? backend.cast<std::string>() : "a kingpost.StateStore";
  if (!named) {
    options.patience = std::make_shared<StorePatience>();
    options.store = Taken(OpenPythonStore(SharedObject(backend), options.patience));
  }
  options.passphrase = std::move(passphrase);
  options.secrets_provider = std::move(secrets_provider);
  const WithoutGil released;
  Check(SharedSupervisor().status());
  return Taken(Session::Open(options));
}

// Python lets go of a run with the GIL held, and its threads may need it to end. One that goes on beyond the end of the
// interpreter keeps what it uses.
struct ReleaseToDelete {
  void operator()(Run* run) const {
    if (GateClosed() && !run->ended()) return;
    const WithoutGil released;
    delete run;
  }
};
using RunHolder = std::unique_ptr<Run, ReleaseToDelete>;

RunHolder StartRun(std::shared_ptr<Session> session, RunArguments arguments) {
  RunSettings settings = SettingsOf(std::move(arguments));
  const WithoutGil released;
  return RunHolder(new Run(std::move(session), std::move(settings)));
}

void DefineFailure(py::module_& module) {
  static PyObject* const type = PyErr_NewException("kingpost._kingpost.Failure", PyExc_Exception, nullptr);
  module.attr("Failure") = py::reinterpret_borrow<py::object>(type);
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(std::move(pointer));
    } catch (const Failure& failure) {
      PyErr_SetObject(type, py::make_tuple(failure.what(), failure.kind).ptr());
    }
  });
}

void DefineSession(py::module_& module) {
  using Unlocked = py::call_guard<WithoutGil>;
  py::class_<Session, std::shared_ptr<Session>>(module, "Session")
      .def(py::init(&OpenSession), py::arg("project"), py::arg("stack"), py::arg("organization"), py::arg("backend"),
           py::arg("passphrase"), py::arg("secrets_provider"))
      .def(
          "export_state", [](Session& s, bool show_secrets) { return Taken(s.Export(show_secrets)); }, Unlocked(),
          py::arg("show_secrets"))
      .def(
          "import_state", [](Session& s, const std::string& text, bool force) { return Taken(s.Import(text, force)); },
          Unlocked(), py::arg("text"), py::arg("force"))
      .def("outputs",
           [](Session& s) {
             std::shared_ptr<const Snapshot> recorded;
             {
               const WithoutGil released;
               recorded = Taken(s.Recorded());
             }
             return RecordedOutputs(*recorded);
           })
      .def(
          "history", [](Session& s, int page_size, int page) { return Taken(s.History(page_size, page)); }, Unlocked(),
          py::arg("page_size"), py::arg("page"))
      .def(
          "exists", [](Session& s) { return Taken(s.Exists()); }, Unlocked())
      .def(
          "break_locks", [](Session& s) { return Taken(s.BreakLocks()); }, Unlocked())
      .def(
          "remove", [](Session& s, bool force, bool backups) { Check(s.Remove(force, backups)); }, Unlocked(),
          py::arg("force"), py::arg("remove_backups"))
      .def(
          "rename", [](Session& s, const std::string& name) { Check(s.Rename(name)); }, Unlocked(), py::arg("name"))
      .def(
          "change_secrets_provider",
          [](Session& s, const std::string& provider, std::optional<std::string> passphrase,
             const std::string& folder) { Check(s.ChangeSecretsProvider(provider, std::move(passphrase), folder)); },
          Unlocked(), py::arg("provider"), py::arg("passphrase"), py::arg("project_folder"));
}

void DefineLine(py::module_& module) {
  py::class_<DirectLine>(module, "DirectLine")
      .def(py::init<const std::string&>(), py::arg("address"))
      .def_property_readonly("descriptor", &DirectLine::descriptor)
      .def(
          "begin",
          [](DirectLine& line, const std::string& service, std::string method, const py::bytes& request) {
            return line.Begin(service, std::move(method), std::string(request));
          },
          py::arg("service"), py::arg("method"), py::arg("request"))
      .def("take", [](DirectLine& line) {
        py::list list;
        for (const DirectLine::Arrived& arrived : line.Take()) {
          list.append(py::make_tuple(arrived.number, arrived.answer.code, Text(arrived.answer.error),
                                     py::bytes(arrived.answer.message)));
        }
        return list;
      });
}

std::shared_ptr<FleetBoard> OpenFleet(const py::list& given, int slots, bool reversed,
                                      const std::shared_ptr<FleetBoard>& preview) {
  std::vector<FleetMemberGiven> members;
  for (const py::handle& item : given) {
    const py::tuple fields = py::reinterpret_borrow<py::tuple>(item);
    members.push_back({fields[0].cast<std::string>(), fields[1].cast<std::string>(),
                       fields[2].cast<std::shared_ptr<Session>>(), fields[3].cast<std::vector<size_t>>()});
  }
  const WithoutGil released;
  return Taken(FleetBoard::Open(members, slots, reversed, preview.get()));
}

fleet::Schedule::State EndNamed(const std::string& end) {
  if (end == "done") return fleet::Schedule::State::kDone;
  return end == "failed" ? fleet::Schedule::State::kFailed : fleet::Schedule::State::kSkipped;
}

const char* TurnName(fleet::MemberAction turn) {
  switch (turn) {
    case fleet::MemberAction::kUnaffected:
      return "alone";
    case fleet::MemberAction::kAsPreviewed:
      return "previewed";
    case fleet::MemberAction::kStopped:
      return "stopped";
    case fleet::MemberAction::kRun:
      break;
  }
  return "run";
}

void DefineFleet(py::module_& module) {
  using Unlocked = py::call_guard<WithoutGil>;
  py::class_<FleetBoard, std::shared_ptr<FleetBoard>>(module, "FleetBoard")
      .def(py::init(&OpenFleet), py::arg("members"), py::arg("slots"), py::arg("reversed"),
           py::arg("preview") = py::none())
      .def(
          "next", [](FleetBoard& fleet) { return fleet.board().Next(); }, Unlocked())
      .def(
          "ended", [](FleetBoard& fleet, size_t member, const std::string& end) { fleet.Ended(member, EndNamed(end)); },
          Unlocked(), py::arg("member"), py::arg("end"))
      .def(
          "stop", [](FleetBoard& fleet) { fleet.board().Stop(); }, Unlocked())
      .def(
          "because", [](FleetBoard& fleet, size_t member) { return fleet.board().ViewOf(member).because; }, Unlocked(),
          py::arg("member"))
      .def(
          "turn",
          [](const FleetBoard& fleet, size_t member, bool stopped) {
            return TurnName(fleet.rules().ActionOf(member, stopped));
          },
          py::arg("member"), py::arg("stopped"))
      .def(
          "ended_in_preview",
          [](const FleetBoard& fleet, size_t member) { return fleet.rules().EndedInPreview(member); },
          py::arg("member"))
      .def(
          "failed_read",
          [](FleetBoard& fleet, size_t member) -> std::optional<std::pair<size_t, bool>> {
            const auto read = fleet.board().FailedReadOf(member);
            if (!read) return std::nullopt;
            return std::make_pair(read->target, read->stopped);
          },
          Unlocked(), py::arg("member"));
}

void DefineRun(py::module_& module) {
  py::class_<Answer, std::shared_ptr<Answer>>(module, "Answer")
      .def("begin", &Answer::Begin)
      .def("set", &Answer::Set, py::arg("answer"));
  py::class_<Run, RunHolder>(module, "Run")
      .def(py::init([](std::shared_ptr<Session> session, std::string operation, py::dict options,
                       std::map<std::string, std::string> config, std::vector<std::string> secret_keys,
                       py::object program, py::dict providers, py::list policies) {
             return StartRun(std::move(session),
                             {std::move(operation), std::move(options), std::move(config), std::move(secret_keys),
                              std::move(program), std::move(providers), std::move(policies)});
           }),
           py::arg("session"), py::arg("operation"), py::arg("options"), py::arg("config"), py::arg("secret_keys"),
           py::arg("program"), py::arg("providers"), py::arg("policies"))
      .def("cancel", &Run::Cancel)
      .def("terminate", &Run::Terminate)
      .def("want_events", &Run::WantEvents)
      .def_property_readonly("news_descriptor", &Run::news_descriptor)
      .def("take_news",
           [](Run& run) {
             const RunNews news = run.TakeNews();
             return py::make_tuple(DescribeEvents(news.events), news.ended);
           })
      .def("outcome", [](const Run& run) { return DescribeOutcome(run.outcome()); });
}

}  // namespace

}  // namespace kingpost::python

PYBIND11_MODULE(_kingpost, module) {
  using namespace kingpost::python;  // NOLINT: the body is one long list of its names
  module.doc() = "The engine of the kingpost package. Use the package.";
  module.attr("VERSION") = KINGPOST_VERSION;
  module.def(
      "close_gate",
      [](double seconds) {
        const py::gil_scoped_release released;
        return CloseGate(seconds);
      },
      py::arg("seconds"));
  module.def("gil_use", [] {
    const GilUse use = CountedGilUse();
    return py::make_tuple(use.times, use.seconds);
  });
  DefineFailure(module);
  DefineSession(module);
  DefineLine(module);
  DefineFleet(module);
  DefineRun(module);
  AddLibrary(module);
}
