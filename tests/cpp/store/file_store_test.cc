// SPDX-License-Identifier: Apache-2.0
// Checks FileStore: Pulumi's layout byte for byte, and a readable old state whatever fails.
#include "store/file_store.h"

#include <catch2/catch.hpp>
#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/digest.h"
#include "base/encoding.h"
#include "base/json_access.h"
#include "store/compression.h"
#include "support/temp_folder.h"

namespace kingpost::file_store_test {

namespace fs = std::filesystem;

const StackName kDev{"organization", "shop", "dev"};
constexpr char kFirst[] = R"({"version":3,"checkpoint":{"stack":"organization/shop/dev"}})";
constexpr char kSecond[] = R"({"version":3,"checkpoint":{"stack":"organization/shop/dev","latest":{"resources":[]}}})";

std::unique_ptr<StateStore> Open(const std::string& folder, FileStoreOptions options = {}) {
  auto store = FileStore::Open(folder, "file://" + folder, std::move(options));
  REQUIRE(store.ok());
  return std::move(*store);
}

TEST_CASE("writes the files that Pulumi writes", "[store]") {
  TempFolder folder;
  auto store = Open(folder.path());
  CHECK_FALSE(store->Load(kDev)->exists);
  CHECK(FilesIn(folder.path()) == 0);  // looking writes nothing

  REQUIRE(store->Save(kDev, kFirst).ok());
  CHECK(Slurp(folder / ".pulumi/meta.yaml") == "version: 1\n");
  CHECK(Slurp(folder / ".pulumi/stacks/shop/dev.json") == kFirst);
  CHECK_FALSE(fs::exists(folder / ".pulumi/stacks/shop/dev.json.bak"));
  REQUIRE(store->Save(kDev, kSecond).ok());
  CHECK(Slurp(folder / ".pulumi/stacks/shop/dev.json") == kSecond);
  CHECK(Slurp(folder / ".pulumi/stacks/shop/dev.json.bak") == kFirst);

  const auto sidecar = nlohmann::json::parse(Slurp(folder / ".pulumi/stacks/shop/dev.json.attrs"));
  CHECK(sidecar.size() == 7);
  CHECK(sidecar["md5"].get<std::string>().size() == 24);
  CHECK(Slurp(folder / ".pulumi/meta.yaml.attrs") ==
        R"({"user.cache_control":"","user.content_disposition":"","user.content_encoding":"",)"
        R"("user.content_language":"","user.content_type":"text/plain; charset=utf-8","user.metadata":null,)"
        R"("md5":"EaRWdV65+nlqCnYlI4a4Wg=="})"
        "\n");
  CHECK(ModeOf(folder / ".pulumi/stacks/shop/dev.json") == 0600);
  CHECK(ModeOf(folder / ".pulumi/stacks/shop") == 0700);

  const auto document = store->Load(kDev);
  CHECK(document->bytes == kSecond);
  CHECK(document->location == folder / ".pulumi/stacks/shop/dev.json");
  CHECK(*store->JournalPath(kDev) == folder / ".pulumi/journals/shop/dev.journal");
  CHECK_FALSE(fs::exists(folder / ".pulumi/journals"));  // made with the first journal
}

TEST_CASE("a copy of the state has a sidecar with its own checksum, whichever program wrote the state", "[store]") {
  TempFolder folder;
  auto store = Open(folder.path());
  const auto md5_of_backup = [&] {
    fs::remove_all(folder / ".pulumi/backups");
    REQUIRE(store->Backup(kDev).ok());
    for (const auto& file : fs::recursive_directory_iterator(folder / ".pulumi/backups")) {
      if (file.path().extension() == ".attrs") return TextIn(nlohmann::json::parse(Slurp(file.path()))["md5"]);
    }
    return std::string();
  };
  REQUIRE(store->Save(kDev, kFirst).ok());
  CHECK(md5_of_backup() == Base64Encode(Md5(kFirst)));
  // An edit outside of the store that keeps the length.
  std::string edited(kFirst);
  edited.back() = edited.back() == ' ' ? '\n' : ' ';
  Spit(folder / ".pulumi/stacks/shop/dev.json", edited);
  CHECK(md5_of_backup() == Base64Encode(Md5(edited)));
}

TEST_CASE("a file keeps the mode its owners gave it", "[store]") {
  TempFolder folder;
  auto store = Open(folder.path());
  REQUIRE(store->Save(kDev, kFirst).ok());
  fs::permissions(folder / ".pulumi/stacks/shop/dev.json", fs::perms(0660));
  REQUIRE(store->Save(kDev, kSecond).ok());
  CHECK(ModeOf(folder / ".pulumi/stacks/shop/dev.json") == 0660);
}

TEST_CASE("a write that fails at any step leaves the old state readable", "[store]") {
  for (int fail_at = 1; fail_at < 40; ++fail_at) {
    INFO("fails at step " << fail_at);
    TempFolder folder;
    auto good = Open(folder.path());
    REQUIRE(good->Save(kDev, "{\"generation\":0}").ok());
    REQUIRE(good->Save(kDev, kFirst).ok());

    int step = 0;
    bool failed_late = false;
    FileStoreOptions options;
    options.fault = [&](FileOp op, const std::string&) {
      if (++step < fail_at) return 0;
      failed_late = op == FileOp::kSyncFolder;
      return ENOSPC;  // and so does all that follows, as on a full disk
    };
    const Status saved = Open(folder.path(), options)->Save(kDev, kSecond);
    if (step < fail_at) {
      CHECK(saved.ok());
      break;
    }
    const std::string state = Slurp(folder / ".pulumi/stacks/shop/dev.json");
    const std::string backup = Slurp(folder / ".pulumi/stacks/shop/dev.json.bak");
    if (saved.ok()) {  // only the sidecar failed
      CHECK(state == kSecond);
      CHECK_FALSE(fs::exists(folder / ".pulumi/stacks/shop/dev.json.attrs"));
    } else {
      CHECK(saved.message().find(".pulumi/stacks/shop") != std::string::npos);
      CHECK(saved.message().find("No space left on device") != std::string::npos);
      CHECK(saved.code() == Code::kResourceExhausted);
      CHECK((state == kFirst || (failed_late && state == kSecond)));
    }
    CHECK((backup == kFirst || backup == "{\"generation\":0}"));
    for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
      CHECK(entry.path().extension() != ".tmp");  // nothing is left lying about
    }
    CHECK(good->Load(kDev)->bytes == state);
    REQUIRE(fail_at < 39);
  }
}

TEST_CASE("a damaged state does not replace the good backup", "[store]") {
  TempFolder folder;
  auto store = Open(folder.path());
  REQUIRE(store->Save(kDev, kFirst).ok());
  REQUIRE(store->Save(kDev, kSecond).ok());
  for (const char* damaged : {"", "{\"version\":3,\"chec", "\n\n"}) {
    Spit(folder / ".pulumi/stacks/shop/dev.json", damaged);
    REQUIRE(store->Save(kDev, kSecond).ok());
    CHECK(Slurp(folder / ".pulumi/stacks/shop/dev.json.bak") == kFirst);
  }
}

TEST_CASE("a state that is a symbolic link stays one", "[store]") {
  TempFolder folder;
  auto store = Open(folder.path());
  const std::string real = folder / "elsewhere/real.json";
  Spit(real, kFirst);
  fs::create_directories(folder / ".pulumi/stacks/shop");
  fs::create_symlink("../../../elsewhere/real.json", folder / ".pulumi/stacks/shop/dev.json");
  REQUIRE(store->Save(kDev, kSecond).ok());
  CHECK(fs::is_symlink(folder / ".pulumi/stacks/shop/dev.json"));
  CHECK(Slurp(real) == kSecond);
  CHECK(Slurp(folder / ".pulumi/stacks/shop/dev.json.bak") == kFirst);
}

TEST_CASE("compressed states are read by their bytes and written on request", "[store]") {
  const auto [compression, file, magic] = GENERATE(table<Compression, std::string, std::string>(
      {{Compression::kGzip, "dev.json.gz", "\x1f\x8b"}, {Compression::kZstd, "dev.json.zst", "\x28\xb5\x2f\xfd"}}));
  TempFolder folder;
  FileStoreOptions options;
  options.compression = compression;
  auto plain = Open(folder.path());
  auto packed = Open(folder.path(), options);
  REQUIRE(plain->Save(kDev, kFirst).ok());
  REQUIRE(packed->Save(kDev, kSecond).ok());
  CHECK_FALSE(fs::exists(folder / ".pulumi/stacks/shop/dev.json"));
  CHECK(Slurp(folder / ".pulumi/stacks/shop/dev.json.bak") == kFirst);
  CHECK(Slurp(folder / (".pulumi/stacks/shop/" + file)).substr(0, magic.size()) == magic);
  CHECK(plain->Load(kDev)->bytes == kSecond);
  CHECK(plain->List()->size() == 1);
  REQUIRE(packed->AppendHistory(kDev, "{}").ok());
  CHECK(plain->ReadHistory(kDev, 0, 0)->at(0) == "{}");
  REQUIRE(plain->Save(kDev, kFirst).ok());
  CHECK(packed->Load(kDev)->bytes == kFirst);
  CHECK_FALSE(fs::exists(folder / (".pulumi/stacks/shop/" + file)));
}

TEST_CASE("the newest of several forms of one state is read", "[store]") {
  TempFolder folder;
  FileStoreOptions options;
  options.compression = Compression::kZstd;
  auto plain = Open(folder.path());
  REQUIRE(Open(folder.path(), options)->Save(kDev, kSecond).ok());
  const fs::path packed_file = folder / ".pulumi/stacks/shop/dev.json.zst";
  const fs::path plain_file = folder / ".pulumi/stacks/shop/dev.json";
  Spit(plain_file, kFirst);
  fs::last_write_time(plain_file, fs::last_write_time(packed_file) - std::chrono::hours(1));
  CHECK(plain->Load(kDev)->bytes == kSecond);
  CHECK(plain->List()->size() == 1);
  fs::last_write_time(plain_file, fs::last_write_time(packed_file) + std::chrono::hours(1));
  CHECK(plain->Load(kDev)->bytes == kFirst);
}

TEST_CASE("compressed bytes are restored exactly, within bounds, or refused", "[store]") {
  const Compression compression = GENERATE(Compression::kGzip, Compression::kZstd);
  const std::string name = compression == Compression::kGzip ? "gzip" : "zstd";
  std::string large;
  for (uint64_t i = 0; i < 500'000; ++i) large += std::to_string(i * 7919 % 1000);
  const std::string packed = *Compress(compression, large);
  CHECK(packed.size() < large.size() / 2);
  CHECK(*Decompress(packed, "f") == large);
  CHECK(*Decompress(*Compress(compression, ""), "f") == "");
  for (const size_t size : {size_t{10}, packed.size() / 2, packed.size() - 1}) {
    const Status cut = Decompress(packed.substr(0, size), "f.x").status();
    CHECK(cut.message().find("f.x: the " + name + " data is damaged or cut short") == 0);
  }
  CHECK(Decompress(packed, "f", large.size() - 1).status().code() == Code::kResourceExhausted);
  CHECK(Decompress(packed, "f", large.size()).ok());
}

TEST_CASE("the legacy layout without projects is found and kept", "[store]") {
  TempFolder folder;
  Spit(folder / ".pulumi/stacks/old.json", kFirst);
  Spit(folder / ".pulumi/stacks/old.json.bak", kFirst);
  auto store = Open(folder.path());
  const auto stacks = store->List();
  REQUIRE(stacks->size() == 1);
  CHECK(stacks->at(0).stack.name == "old");
  CHECK(stacks->at(0).stack.project == "");
  const StackName old{"organization", "shop", "old"};
  CHECK(store->QualifiedName(old) == "old");
  CHECK(store->Load(old)->bytes == kFirst);
  REQUIRE(store->Save(old, kSecond).ok());
  CHECK(Slurp(folder / ".pulumi/stacks/old.json") == kSecond);
  CHECK_FALSE(fs::exists(folder / ".pulumi/meta.yaml"));
}

TEST_CASE("an unknown or broken meta.yaml is refused by name", "[store]") {
  TempFolder folder;
  Spit(folder / ".pulumi/meta.yaml", "version: 2\n");
  CHECK(FileStore::Open(folder.path(), "", {}).status().message().find("/.pulumi/meta.yaml: state store unsupported") !=
        std::string::npos);
  for (const char* broken : {"", "version:\n", "version: one\n", "version: 1 2\n", "hello"}) {
    Spit(folder / ".pulumi/meta.yaml", broken);
    CHECK(FileStore::Open(folder.path(), "", {}).status().message().find("/.pulumi/meta.yaml: corrupt store") !=
          std::string::npos);
  }
  Spit(folder / ".pulumi/meta.yaml", "# ours\nversion: 1 # the newest\n");
  CHECK(FileStore::Open(folder.path(), "", {}).ok());
}

TEST_CASE("lists stacks of all projects and nothing else", "[store]") {
  TempFolder folder;
  auto store = Open(folder.path());
  CHECK(store->List()->empty());
  REQUIRE(store->Save({"organization", "b", "x"}, kFirst).ok());
  REQUIRE(store->Save({"organization", "a", "y"}, kFirst).ok());
  REQUIRE(store->Save({"organization", "a", "x"}, kFirst).ok());
  REQUIRE(store->Save({"organization", "a", "x"}, kSecond).ok());  // leaves x.json.bak
  REQUIRE(store->SaveTags({"organization", "a", "x"}, {{"k", "v"}}).ok());
  Spit(folder / ".pulumi/stacks/a/deep/z.json", kFirst);
  Spit(folder / ".pulumi/stacks/a b/z.json", kFirst);
  std::string names;
  const auto stacks = store->List();
  for (const StackEntry& entry : *stacks) {
    names += entry.stack.project + "/" + entry.stack.name + " ";
    CHECK(entry.modified_ms > 1'600'000'000'000);
    CHECK_FALSE(entry.locked);
  }
  CHECK(names == "a/x a/y b/x ");
  auto lock = store->Lock({"organization", "a", "y"});
  CHECK(store->List()->at(1).locked);
}

TEST_CASE("history is read newest first, in pages, whatever the clock does", "[store]") {
  TempFolder folder;
  auto store = Open(folder.path());
  REQUIRE(store->Save(kDev, kFirst).ok());
  // Written while the clock was years ahead.
  Spit(folder / ".pulumi/history/shop/dev/dev-4102444800000000000.history.json", "{\"n\":0}");
  for (int n = 1; n <= 4; ++n) REQUIRE(store->AppendHistory(kDev, "{\"n\":" + std::to_string(n) + "}").ok());
  CHECK(*store->ReadHistory(kDev, 0, 0) ==
        std::vector<std::string>{"{\"n\":4}", "{\"n\":3}", "{\"n\":2}", "{\"n\":1}", "{\"n\":0}"});
  CHECK(*store->ReadHistory(kDev, 2, 1) == std::vector<std::string>{"{\"n\":4}", "{\"n\":3}"});
  CHECK(*store->ReadHistory(kDev, 2, 3) == std::vector<std::string>{"{\"n\":0}"});
  CHECK(store->ReadHistory(kDev, 2, 4)->empty());
  CHECK(store->ReadHistory({"organization", "shop", "none"}, 0, 0)->empty());
  CHECK(Slurp(folder / ".pulumi/history/shop/dev/dev-4102444800000000004.checkpoint.json") == kFirst);

  Spit(folder / ".pulumi/history/shop/dev/dev-4102444800000000009.history.json", "{\"n\"");
  CHECK(store->ReadHistory(kDev, 1, 1).status().message().find("dev-4102444800000000009.history.json: ") !=
        std::string::npos);
}

TEST_CASE("backups gather unless switched off", "[store]") {
  TempFolder folder;
  auto store = Open(folder.path());
  REQUIRE(store->Save(kDev, kFirst).ok());
  REQUIRE(store->Backup(kDev).ok());
  REQUIRE(store->Backup(kDev).ok());
  CHECK(FilesIn(folder / ".pulumi/backups/shop/dev") == 4);  // two copies, each with a sidecar
  FileStoreOptions options;
  options.backups = false;
  REQUIRE(Open(folder.path(), options)->Backup(kDev).ok());
  CHECK(FilesIn(folder / ".pulumi/backups/shop/dev") == 4);
}

TEST_CASE("saved reasons remove the stale checksum file that the reference left beside them", "[store]") {
  TempFolder folder;
  auto store = Open(folder.path());
  REQUIRE(store->Save(kDev, kFirst).ok());
  REQUIRE(store->SaveReasons(kDev, ReasonsKind::kPreview, "{}").ok());
  const std::string file = folder / ".pulumi/history/shop/dev/dev-preview.reasons.json";
  CHECK(ModeOf(file) == 0600);
  CHECK_FALSE(fs::exists(file + ".attrs"));
  Spit(file + ".attrs", "{\"md5\":\"of the former ones\"}");  // which it would check
  REQUIRE(store->SaveReasons(kDev, ReasonsKind::kPreview, "{\"new\":1}").ok());
  CHECK(Slurp(file) == "{\"new\":1}");
  CHECK_FALSE(fs::exists(file + ".attrs"));
}

TEST_CASE("removing a stack leaves its backup, renaming takes history and tags along", "[store]") {
  TempFolder folder;
  auto store = Open(folder.path());
  const StackName prod{"organization", "shop", "prod-1"};
  REQUIRE(store->Save(kDev, kFirst).ok());
  REQUIRE(store->AppendHistory(kDev, "{\"n\":1}").ok());
  REQUIRE(store->SaveTags(kDev, {{"team", "blue"}}).ok());
  CHECK(Slurp(folder / ".pulumi/stacks/shop/dev.pulumi-tags") == R"({"version":1,"tags":{"team":"blue"}})");

  const std::string journal = *store->JournalPath(kDev);
  Spit(journal, "begun");
  CHECK(store->Rename(kDev, prod, kSecond).message().find("unfinished operation") != std::string::npos);
  fs::remove(journal);
  REQUIRE(store->Rename(kDev, prod, kSecond).ok());
  CHECK_FALSE(*store->Exists(kDev));
  CHECK(store->Load(prod)->bytes == kSecond);
  CHECK(store->ReadHistory(prod, 0, 0)->size() == 1);
  CHECK(store->LoadTags(prod)->at("team") == "blue");
  CHECK(store->LoadTags(kDev)->empty());
  CHECK(Slurp(folder / ".pulumi/stacks/shop/dev.json.bak") == kFirst);

  REQUIRE(store->Save(kDev, kFirst).ok());
  CHECK(store->Rename(kDev, prod, kFirst).code() == Code::kAlreadyExists);
  REQUIRE(store->Remove(prod, false).ok());
  CHECK_FALSE(*store->Exists(prod));
  CHECK(store->ReadHistory(prod, 0, 0)->empty());
  CHECK(Slurp(folder / ".pulumi/stacks/shop/prod-1.json.bak") == kSecond);
  REQUIRE(store->Save(prod, kFirst).ok());
  REQUIRE(store->Backup(prod).ok());
  REQUIRE(store->Remove(prod, true).ok());
  CHECK_FALSE(fs::exists(folder / ".pulumi/stacks/shop/prod-1.json.bak"));
  CHECK(FilesIn(folder / ".pulumi/backups") == 0);
  CHECK(store->Remove(prod, false).ok());  // again is fine

  Spit(folder / ".pulumi/stacks/shop/dev.pulumi-tags", "{\"version\":7}");
  CHECK(store->LoadTags(kDev).status().message().find("dev.pulumi-tags: unsupported stack tags version") !=
        std::string::npos);
  REQUIRE(store->SaveTags(kDev, {}).ok());
  CHECK_FALSE(fs::exists(folder / ".pulumi/stacks/shop/dev.pulumi-tags"));
}

TEST_CASE("names that would leave the folder are refused everywhere", "[store]") {
  TempFolder folder;
  auto store = Open(folder.path() + "/state");
  const std::vector<std::string> names = {"", ".", "..", "a/b", "a b", "\xc3\xa4", "a\n", std::string(101, 'a')};
  for (const std::string& name : names) {
    const StackName bad{"organization", "shop", name};
    CHECK_FALSE(store->Load(bad).ok());
    CHECK_FALSE(store->Save(bad, kFirst).ok());
    CHECK_FALSE(store->Lock(bad).ok());
    CHECK_FALSE(store->JournalPath(bad).ok());
    CHECK_FALSE(store->Save({"organization", name, "dev"}, kFirst).ok());
  }
  CHECK(FilesIn(folder.path()) == 0);
  CHECK(store->Save({"organization", "shop", std::string(100, 'a')}, kFirst).ok());
}

TEST_CASE("stack references are read as the reference reads them", "[store]") {
  CHECK(StackName::Parse("dev", "shop")->str() == "organization/shop/dev");
  CHECK(StackName::Parse("organization/dev", "shop")->str() == "organization/shop/dev");
  CHECK(StackName::Parse("organization/p/dev", "shop")->str() == "organization/p/dev");
  CHECK(StackName::Parse("organization/p/dev", "")->str() == "organization/p/dev");
  CHECK(StackName::Parse("acme/dev", "shop").status().message().find("organization name must be 'organization'") == 0);
  CHECK(StackName::Parse("dev", "").status().message().find("no Pulumi.yaml project file found") == 0);
  CHECK(StackName::Parse("", "shop").status().message() == "a stack name may not be empty");
  CHECK(StackName::Parse("organization/a/b/c", "shop").status().message().find("too many parts") != std::string::npos);
  CHECK(StackName::Parse("d v", "shop").status().message() ==
        "a stack name may only contain alphanumeric, hyphens, underscores, or periods: invalid character ' ' at "
        "position 1");
  CHECK_FALSE(StackName::Parse("organization/../dev", "").ok());
  CHECK_FALSE(StackName::Parse("organization//dev", "").ok());
}

TEST_CASE("the URL chooses the store", "[store]") {
  TempFolder folder;
  auto file = OpenStore("file://" + folder.path() + "/a%20b?no_tmp_dir=true");
  REQUIRE(file.ok());
  REQUIRE((*file)->Save(kDev, kFirst).ok());
  CHECK(fs::exists(folder / "a b/.pulumi/stacks/shop/dev.json"));
  CHECK((*OpenStore("mem://"))->url() == "mem://");
  CHECK(OpenStore("memory").ok());
  // Opening connects to no server: the first request does.
  auto table = OpenStore("postgres://u:hunter2@host/db?sslmode=disable");
  REQUIRE(table.ok());
  CHECK((*table)->printable_url() == "postgres://****:****@host/db?sslmode=disable");
  CHECK(OpenStore("s3://bucket/root?region=eu-west-1").ok());
  CHECK(OpenStore("https://u:hunter2@x").status().message().find("not supported by this version") != std::string::npos);
  CHECK_FALSE(OpenStore("folder").ok());
}

}  // namespace kingpost::file_store_test
