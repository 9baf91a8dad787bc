// SPDX-License-Identifier: Apache-2.0
// Checks the unpacking of archives, hostile ones included, which try to write outside their folder.
#include "plugins/unpack.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "support/temp_folder.h"

namespace kingpost::unpack_test {

namespace fs = std::filesystem;

struct Member {
  std::string name, contents;
  char type = '0';
  std::string target = {};
  int mode = 0644;
};

std::string Header(const Member& member) {
  std::string block(512, '\0');
  const auto put = [&block](size_t at, const std::string& text) { block.replace(at, text.size(), text); };
  const auto octal = [](long value, int digits) {
    char text[16];
    std::snprintf(text, sizeof text, "%0*lo", digits, value);
    return std::string(text);
  };
  put(0, member.name);
  put(100, octal(member.mode, 7));
  put(124, octal(static_cast<long>(member.contents.size()), 11));
  put(148, "        ");
  block[156] = member.type;
  put(157, member.target);
  put(257, std::string("ustar\0"
                       "00",
                       8));
  long sum = 0;
  for (unsigned char c : block) sum += c;
  put(148, octal(sum, 6) + std::string("\0 ", 2));
  return block;
}

std::string Tar(const std::vector<Member>& members, bool with_end = true) {
  std::string tar;
  for (const Member& member : members) {
    tar += Header(member) + member.contents;
    tar.resize((tar.size() + 511) / 512 * 512, '\0');
  }
  return tar + (with_end ? std::string(1024, '\0') : "");
}

class Place {
 public:
  Place() { fs::create_directories(path_ / "in" / "to"); }

  // "" if it went well.
  std::string Unpack(const std::string& tar, size_t cut = 0, const UnpackLimits& limits = UnpackLimits()) {
    const fs::path archive = path_ / "archive.tar.gz";
    const gzFile file = gzopen(archive.c_str(), "wb");
    gzwrite(file, tar.data(), static_cast<unsigned>(tar.size()));
    gzclose(file);
    fs::resize_file(archive, fs::file_size(archive) - cut);
    return UnpackFile(archive, nullptr, limits);
  }
  std::string UnpackFile(const fs::path& archive, const std::function<bool(int64_t)>& on_progress = nullptr,
                         const UnpackLimits& limits = UnpackLimits()) {
    const int fd = open(archive.c_str(), O_RDONLY | O_CLOEXEC);
    const Status status = UnpackTarGz(fd, "x.tar.gz", folder().string(), on_progress, limits);
    close(fd);
    return status.message();
  }
  std::string Read(const std::string& name) const {
    std::ifstream file(folder() / name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  // Everything outside of the folder, by name.
  std::string Outside() const {
    std::string names;
    for (const auto& entry : fs::directory_iterator(path_ / "in")) names += entry.path().filename().string() + " ";
    return names;
  }
  fs::path folder() const { return path_ / "in" / "to"; }

  const TempFolder temporary_;
  const fs::path path_{temporary_.path()};
};

TEST_CASE("files, folders and links come out as they went in") {
  Place place;
  const std::string big(300000, 'x');
  CHECK(place.Unpack(Tar({{"./", "", '5', "", 0755},
                          {"bin/", "", '5', "", 0755},
                          {"bin/run", "#!/bin/sh\n", '0', "", 0755},
                          {"deep/er/big", big},
                          {"link", "", '2', "bin/run"},
                          {"empty", ""}})) == "");
  CHECK(place.Read("bin/run") == "#!/bin/sh\n");
  CHECK(place.Read("link") == "#!/bin/sh\n");
  CHECK(place.Read("deep/er/big") == big);
  CHECK(fs::is_empty(place.folder() / "empty"));
  CHECK(access((place.folder() / "bin/run").c_str(), X_OK) == 0);
  CHECK(access((place.folder() / "deep/er/big").c_str(), X_OK) != 0);
}

TEST_CASE("archives of usual tools are understood, long names included") {
  Place place;
  const std::string long_name = std::string(90, 'd') + "/" + std::string(120, 'e') + "/" + std::string(150, 'f');
  fs::create_directories((place.path_ / "from" / long_name).parent_path());
  std::ofstream(place.path_ / "from" / long_name) << "far down";
  for (const char* format : {"gnu", "pax"}) {
    INFO(format);
    const std::string command = "tar -C " + (place.path_ / "from").string() + " --format=" + format + " -czf " +
                                (place.path_ / "long.tar.gz").string() + " .";
    REQUIRE(std::system(command.c_str()) == 0);
    CHECK(place.UnpackFile(place.path_ / "long.tar.gz") == "");
    CHECK(place.Read(long_name) == "far down");
  }
}

TEST_CASE("an entry that leads out of the folder is refused") {
  Place place;
  for (const char* name : {"../evil", "a/../../evil", "..", "/../evil"}) {
    INFO(name);
    CHECK(place.Unpack(Tar({{name, "gotcha"}})).find("lies outside of it") != std::string::npos);
  }
  CHECK(place.Unpack(Tar({{"/evil", "kept inside"}})) == "");
  CHECK(place.Read("evil") == "kept inside");
  CHECK(place.Outside() == "to ");
}

TEST_CASE("nothing is written through a link") {
  Place place;
  CHECK(place.Unpack(Tar({{"out", "", '2', "../"}, {"out/evil", "gotcha"}})).find("points outside of it") !=
        std::string::npos);
  CHECK(place.Unpack(Tar({{"out", "", '2', "/tmp"}})).find("points outside of it") != std::string::npos);
  // Inside by its text, outside by way of another link.
  CHECK(place.Unpack(Tar({{"a/b/up", "", '2', "../.."}, {"p", "", '2', "a/b/up/.."}, {"p/evil", "gotcha"}}))
            .find("which is not a folder") != std::string::npos);
  // A file takes the place of a link rather than going where it points.
  fs::create_directories(place.folder() / "d");
  CHECK(place.Unpack(Tar({{"d/file", "old"}, {"ln", "", '2', "d/file"}, {"ln", "new"}})) == "");
  CHECK(place.Read("d/file") == "old");
  CHECK(place.Read("ln") == "new");
  CHECK(place.Outside() == "to ");
}

TEST_CASE("a link is refused if the links on its way lead out of the folder, whatever its text says") {
  const std::vector<Member> climbing = {
      {"a/b/file", "x"}, {"a/b/up", "", '2', "../.."}, {"out", "", '2', "a/b/up/../x"}};
  Place place;
  CHECK(place.Unpack(Tar(climbing)).find("its link \"out\" points outside of it") != std::string::npos);
  // The same members in another order, and links in a circle.
  Place other;
  const std::vector<Member> early = {climbing[2], climbing[0], climbing[1]};
  CHECK(other.Unpack(Tar(early)).find("points outside of it") != std::string::npos);
  Place third;
  CHECK(third.Unpack(Tar({{"one", "", '2', "two"}, {"two", "", '2', "one"}})) != "");
  Place fourth;
  CHECK(fourth.Unpack(Tar({climbing[0], climbing[1], {"in", "", '2', "a/b/up/a/b/file"}})) == "");
  CHECK(fourth.Read("in") == "x");
}

TEST_CASE("devices, pipes and hard links are refused") {
  Place place;
  for (char type : {'1', '3', '4', '6'}) {
    INFO(type);
    CHECK(place.Unpack(Tar({{"odd", "", type, "x"}})).find("neither a file, a folder nor a symbolic link") !=
          std::string::npos);
  }
}

TEST_CASE("special bits of a file's mode do not survive") {
  Place place;
  CHECK(place.Unpack(Tar({{"root", "x", '0', "", 06755}})) == "");
  struct stat info;
  REQUIRE(stat((place.folder() / "root").c_str(), &info) == 0);
  CHECK((info.st_mode & 07000) == 0);
}

TEST_CASE("a damaged or truncated archive is refused") {
  Place place;
  const std::string tar = Tar({{"a", std::string(100000, 'a')}, {"b", "bb"}});
  for (size_t cut : {1, 8, 40}) {
    INFO(cut);
    CHECK(place.Unpack(tar, cut).find("is damaged or not a .tar.gz file") != std::string::npos);
  }
  CHECK(place.Unpack("this is no archive at all").find("is damaged") != std::string::npos);
  std::string wrong = tar;
  wrong[3] = '!';  // its header no longer adds up
  CHECK(place.Unpack(wrong).find("is damaged") != std::string::npos);
  CHECK(place.Unpack(Tar({{"a", "x"}}, /*with_end=*/false)) == "");
}

TEST_CASE("an archive that unpacks to more than any plugin has is refused before it has filled the disk") {
  const std::string tar = Tar({{"a", std::string(600, 'a')}, {"b", std::string(600, 'b')}});
  const auto unpack = [&](const UnpackLimits& limits) {
    Place place;
    return place.Unpack(tar, 0, limits);
  };
  CHECK(unpack({1200, 2}).empty());
  CHECK(unpack({1199, 2}) == "the archive x.tar.gz is refused: it unpacks to more than 1199 bytes");
  CHECK(unpack({int64_t{8} << 30, 1}) == "the archive x.tar.gz is refused: it holds more than 1 files and folders");
}

TEST_CASE("unpacking can be cancelled") {
  Place place;
  REQUIRE(place.Unpack(Tar({{"a", std::string(500000, 'a')}})) == "");
  int calls = 0;
  const auto cancel = [&calls](int64_t) { return ++calls < 2; };
  CHECK(place.UnpackFile(place.path_ / "archive.tar.gz", cancel) == "unpacking was cancelled");
}

}  // namespace kingpost::unpack_test
