// SPDX-License-Identifier: Apache-2.0
// Hashes of assets and archives. The expected archive hashes were computed with Go's archive/tar.
#include "assets/content_hash.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/temp_folder.h"

namespace kingpost::content_hash_test {

namespace fs = std::filesystem;

AssetData Text(const std::string& text) {
  AssetData asset;
  asset.text = text;
  return asset;
}

ArchiveData PathArchive(const std::string& path) {
  ArchiveData archive;
  archive.kind = ArchiveData::Kind::kPath;
  archive.text = path;
  return archive;
}

std::string HashOf(const ArchiveData& archive, const std::string& folder) {
  auto hash = HashArchive(archive, folder);
  INFO(hash.status().message());
  REQUIRE(hash.ok());
  return *hash;
}

std::string HashOfMember(const std::string& name) {
  ArchiveData archive;
  archive.assets = {{name, Value::Asset(Text("1"))}};
  return HashOf(archive, "/");
}

TEST_CASE("texts and files hash to the SHA-256 of their bytes") {
  const TempFolder folder;
  Spit(folder / "f.txt", "hello");
  AssetData file;
  file.kind = AssetData::Kind::kPath;
  file.text = "f.txt";
  const std::string expected = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
  CHECK(*HashAsset(Text("hello"), "/") == expected);
  CHECK(*HashAsset(file, folder.path()) == expected);
  file.kind = AssetData::Kind::kUri;
  file.text = "file://" + folder.path() + "/f.txt";
  CHECK(*HashAsset(file, "/") == expected);
}

TEST_CASE("pipes and devices are refused, wherever they stand, instead of being read without end") {
  const TempFolder folder;
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  REQUIRE(mkfifo((folder / "pipe.tar").c_str(), 0600) == 0);
  std::filesystem::create_directories(folder / "tree");
  std::filesystem::create_symlink("/dev/zero", folder / "tree/endless");
  AssetData asset;
  asset.kind = AssetData::Kind::kPath;
  for (const auto& [path, kind] : {std::pair("/dev/zero", "a device"), std::pair("pipe", "a pipe")}) {
    asset.text = path;
    const auto hash = HashAsset(asset, folder.path());
    REQUIRE_FALSE(hash.ok());
    CHECK(hash.status().message().find(kind) != std::string::npos);
  }
  CHECK_FALSE(HashArchive(PathArchive("pipe.tar"), folder.path()).ok());
  const auto tree = HashArchive(PathArchive("tree"), folder.path());
  REQUIRE_FALSE(tree.ok());
  CHECK(tree.status().message().find("endless' is a device") != std::string::npos);
  ArchiveData inner;
  inner.assets = {{"pipe", Value::Archive(PathArchive("pipe.tar"))}};
  CHECK_FALSE(HashArchive(inner, folder.path()).ok());
}

TEST_CASE("a directory hashes like the tar file that Go writes of it") {
  const TempFolder folder;
  Spit(folder / "dir/b.txt", std::string(1000, 'x'));
  Spit(folder / "a.txt", "hello");
  Spit(folder / ".pulumi/ignored", "never part of an archive");
  const std::string expected = "48d61c8bf49ebeab74a4aa0cfe59e38dcff0eab7a37c0e137428e3995e9b97ea";
  CHECK(HashOf(PathArchive(folder.path()), "/") == expected);
  CHECK(HashOf(PathArchive("."), folder.path()) == expected);

  ArchiveData members;
  members.assets = {{"a.txt", Value::Asset(Text("hello"))}, {"dir", Value::Archive(PathArchive("dir"))}};
  CHECK(HashOf(members, folder.path()) == expected);
}

TEST_CASE("names of every length and alphabet stand in the tar file as Go puts them") {
  CHECK(HashOf(ArchiveData(), "/") == "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef");
  CHECK(HashOfMember(std::string(80, 'd') + "/" + std::string(90, 'f')) ==
        "0f30e7e6f566ce07dba8d31cafaf2a1d08ed1d3605a38354c2c3236ac7f78105");
  CHECK(HashOfMember(std::string(180, 'n')) == "3d2287f00f1ad348d0580900bb4249ccbdcd3e938136fbeb36b1e8272819ec91");
  CHECK(HashOfMember("dir/" + std::string(180, 'n')) ==
        "7b0abe66ae699f4311e1160be44754fa1b1ebc16e493492e46941abc410e794b");
  CHECK(HashOfMember("gr\xC3\xBC\xC3\x9F"
                     "e/na\xC3\xAFve.txt") == "39bd5a2b0d6e9bd0672b74da9db96137ab16169259f82d2051b24d0a63a211fa");
}

TEST_CASE("an archive file inside another is unpacked: tar, gzipped tar and zip give the same hash") {
  const TempFolder folder;
  Spit(folder / "in/a.txt", "hello");
  Spit(folder / "in/dir/b.txt", std::string(1000, 'x'));
  const std::string make = "cd " + folder.path() +
                           "/in && tar cf ../x.tar a.txt dir && tar czf ../x.tgz a.txt dir && "
                           "python3 -c \"import zipfile; z=zipfile.ZipFile('../x.zip','w',zipfile.ZIP_DEFLATED); "
                           "z.write('a.txt'); z.write('dir/b.txt')\"";
  REQUIRE(std::system(make.c_str()) == 0);
  ArchiveData plain;
  plain.assets = {{"sub", Value::Archive(PathArchive("in"))}};
  const std::string expected = HashOf(plain, folder.path());
  for (const char* file : {"x.tar", "x.tgz", "x.zip"}) {
    INFO(file);
    ArchiveData packed;
    packed.assets = {{"sub", Value::Archive(PathArchive(file))}};
    CHECK(HashOf(packed, folder.path()) == expected);
  }
}

TEST_CASE("a symbolic link in a zip file is a file that holds its target, and in a tar file nothing") {
  const TempFolder folder;
  Spit(folder / "in/a.txt", "hello");
  const std::string make = "cd " + folder.path() +
                           "/in && ln -s a.txt link && tar cf ../x.tar a.txt link && "
                           "python3 -c \"import zipfile; z=zipfile.ZipFile('../x.zip','w'); z.write('a.txt'); "
                           "i=zipfile.ZipInfo('link'); i.create_system=3; i.external_attr=0o120777<<16; "
                           "z.writestr(i,'a.txt')\"";
  REQUIRE(std::system(make.c_str()) == 0);
  const auto hash_of = [&folder](const PropertyMap& assets) {
    ArchiveData archive;
    archive.assets = assets;
    return HashOf(archive, folder.path());
  };
  CHECK(hash_of({{"sub", Value::Archive(PathArchive("x.zip"))}}) ==
        hash_of({{"sub/a.txt", Value::Asset(Text("hello"))}, {"sub/link", Value::Asset(Text("a.txt"))}}));
  CHECK(hash_of({{"sub", Value::Archive(PathArchive("x.tar"))}}) ==
        hash_of({{"sub/a.txt", Value::Asset(Text("hello"))}}));
}

TEST_CASE("a damaged archive inside another is an error that names it") {
  const TempFolder folder;
  Spit(folder / "in/a.txt", std::string(5000, 'x'));
  const std::string make = "cd " + folder.path() +
                           "/in && tar czf ../x.tgz a.txt && python3 -c \"import zipfile; "
                           "zipfile.ZipFile('../x.zip','w',zipfile.ZIP_DEFLATED).write('a.txt')\"";
  REQUIRE(std::system(make.c_str()) == 0);
  for (const std::string file : {"x.tgz", "x.zip"}) {
    INFO(file);
    const fs::path path = fs::path(folder.path()) / file;
    fs::resize_file(path, fs::file_size(path) - 30);
    ArchiveData packed;
    packed.assets = {{"sub", Value::Archive(PathArchive(file))}};
    auto hash = HashArchive(packed, folder.path());
    REQUIRE_FALSE(hash.ok());
    CHECK(hash.status().message().find("failed to expand sub-archive 'sub': the archive '" + path.string() +
                                       "' is damaged") == 0);
  }
}

TEST_CASE("hashes are put on every asset at every depth, and a missing file is named") {
  AssetData missing;
  missing.kind = AssetData::Kind::kPath;
  missing.text = "/no/such/file";
  const PropertyMap good{{"a", Value::Secret(Value(Array{Value::Asset(Text("hello"))}))}, {"b", 1}};
  CHECK(NeedsHashes(good));
  auto hashed = WithHashes(good, "/");
  REQUIRE(hashed.ok());
  CHECK_FALSE(NeedsHashes(*hashed));
  CHECK(hashed->Find("a")->as_secret().element.as_array()[0].as_asset().hash.size() == 64);

  auto failed = WithHashes({{"code", Value::Asset(missing)}}, "/");
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.status().message().find("failed to compute asset hash for \"code\": failed to open asset file "
                                       "'/no/such/file'") == 0);
  missing.kind = AssetData::Kind::kUri;
  missing.text = "https://example.com/x";
  CHECK_FALSE(WithHashes({{"code", Value::Asset(missing)}}, "/").ok());
}

}  // namespace kingpost::content_hash_test
