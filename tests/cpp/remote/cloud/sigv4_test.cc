// SPDX-License-Identifier: Apache-2.0
// Checks signatures against AWS's published test suite, and against botocore where libcurl is known to be wrong.
#include "remote/cloud/aws/sigv4.h"

#include <catch2/catch.hpp>

namespace kingpost::sigv4_test {

struct Published {
  std::string name, method, path;
  Parameters query, headers;
  std::string body, token;
  bool path_as_sent;
  std::string signature;
};

// The suite for Signature Version 4 that AWS publishes, in its own names; without the query form, which nothing here
// uses.
// clang-format off
const std::vector<Published> kPublished = {
    {"get-header-key-duplicate", "GET", "/", {}, {{"My-Header1", "value2"}, {"My-Header1", "value2"}, {"My-Header1", "value1"}}, "", "", false,
     "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"},
    {"get-header-value-multiline", "GET", "/", {}, {{"My-Header1", "value1\n  value2\n     value3"}}, "", "", false,
     "cfd34249e4b1c8d6b91ef74165d41a32e5fab3306300901bb65a51a73575eefd"},
    {"get-header-value-order", "GET", "/", {}, {{"My-Header1", "value4"}, {"My-Header1", "value1"}, {"My-Header1", "value3"}, {"My-Header1", "value2"}}, "", "", false,
     "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"},
    {"get-header-value-trim", "GET", "/", {}, {{"My-Header1", " value1"}, {"My-Header2", " \"a   b   c\""}}, "", "", false,
     "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
    {"get-relative-normalized", "GET", "/example/..", {}, {}, "", "", false,
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
    {"get-relative-relative-normalized", "GET", "/example1/example2/../..", {}, {}, "", "", false,
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
    {"get-relative-relative-unnormalized", "GET", "/example1/example2/../..", {}, {}, "", "", true,
     "dc33e0856fd4baca4d7aa2146c38958283844764f38c74252a333df5e613003b"},
    {"get-relative-unnormalized", "GET", "/example/..", {}, {}, "", "", true,
     "eca7ead57bb5aa5c8e28007acd4ff04e1ff9a0ff3b237ec1554a184887ff9282"},
    {"get-slash-dot-slash-normalized", "GET", "/./", {}, {}, "", "", false,
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
    {"get-slash-dot-slash-unnormalized", "GET", "/./", {}, {}, "", "", true,
     "68714168e6557f8f2de0ef956fc24dc2593a4bd2961f8df51898d8a134695145"},
    {"get-slash-normalized", "GET", "//", {}, {}, "", "", false,
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
    {"get-slash-pointless-dot-normalized", "GET", "/./example", {}, {}, "", "", false,
     "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5"},
    {"get-slash-pointless-dot-unnormalized", "GET", "/./example", {}, {}, "", "", true,
     "beb03f223f7deae4146464f06e29eebbee9c8afbe15c290cf07aa8b119e14cff"},
    {"get-slash-unnormalized", "GET", "//", {}, {}, "", "", true,
     "c88bcd3d312d75078c0cd961d6deae3f4c754924b01669efcfcb439fd5e5b76e"},
    {"get-slashes-normalized", "GET", "//example//", {}, {}, "", "", false,
     "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"},
    {"get-slashes-unnormalized", "GET", "//example//", {}, {}, "", "", true,
     "87cca117541a147f6df867677d98a7d80dff226d2bfca9e4ffa899665623c7e5"},
    {"get-space-normalized", "GET", "/example space/", {}, {}, "", "", false,
     "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"},
    {"get-space-unnormalized", "GET", "/example%20space/", {}, {}, "", "", true,
     "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"},
    {"get-unreserved", "GET", "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", {}, {}, "", "", false,
     "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"},
    {"get-utf8", "GET", "/\341\210\264", {}, {}, "", "", false,
     "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"},
    {"get-vanilla", "GET", "/", {}, {}, "", "", false,
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
    {"get-vanilla-empty-query-key", "GET", "/", {{"Param1", "value1"}}, {}, "", "", false,
     "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"},
    {"get-vanilla-query", "GET", "/", {}, {}, "", "", false,
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
    {"get-vanilla-query-order-encoded", "GET", "/", {{"Param-3", "Value3"}, {"Param", "Value2"}, {"\341\210\264", "Value1"}}, {}, "", "", false,
     "371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac"},
    {"get-vanilla-query-order-key-case", "GET", "/", {{"Param2", "value2"}, {"Param1", "value1"}}, {}, "", "", false,
     "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
    {"get-vanilla-query-unreserved", "GET", "/", {{"-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"}}, {}, "", "", false,
     "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"},
    {"get-vanilla-utf8-query", "GET", "/", {{"\341\210\264", "bar"}}, {}, "", "", false,
     "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"},
    {"get-vanilla-with-session-token", "GET", "/", {}, {}, "", "6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267", false,
     "07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8"},
    {"post-header-key-case", "POST", "/", {}, {}, "", "", false,
     "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
    {"post-header-key-sort", "POST", "/", {}, {{"My-Header1", "value1"}}, "", "", false,
     "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"},
    {"post-header-value-case", "POST", "/", {}, {{"My-Header1", "VALUE1"}}, "", "", false,
     "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"},
    {"post-sts-header-before", "POST", "/", {}, {}, "", "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==", false,
     "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"},
    {"post-vanilla", "POST", "/", {}, {}, "", "", false,
     "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
    {"post-vanilla-empty-query-value", "POST", "/", {{"Param1", "value1"}}, {}, "", "", false,
     "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"},
    {"post-vanilla-query", "POST", "/", {{"Param1", "value1"}}, {}, "", "", false,
     "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"},
    {"post-x-www-form-urlencoded", "POST", "/", {}, {{"Content-Type", "application/x-www-form-urlencoded"}, {"Content-Length", "13"}, {"X-Amz-Content-Sha256", "9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e"}}, "Param1=value1", "", false,
     "d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b"},
    {"post-x-www-form-urlencoded-parameters", "POST", "/", {}, {{"Content-Type", "application/x-www-form-urlencoded; charset=utf-8"}, {"Content-Length", "13"}, {"X-Amz-Content-Sha256", "9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e"}}, "Param1=value1", "", false,
     "328d1b9eaadca9f5818ef05e8392801e091653bafec24fcab71e7344e7f51422"},
};
// clang-format on

struct Trap {
  std::string name, service, method, path;  // not encoded
  Parameters query, headers;
  std::string body, token, signature;
};

// clang-format off
const std::vector<Trap> kTraps = {
    {"a plus in a key", "s3", "GET", "/a+b/c", {}, {},
     "", "",
     "b75d7b710ef3307f8b404b35a337024cb75c770f0c6664d46a9511ab40c14d63"},
    {"a blank in a key", "s3", "GET", "/a b", {}, {},
     "", "",
     "aaa0227d1748621c97a01f722b44d0c8fe3899a9a5cb491f89d4e440dc0bb27f"},
    {"a star, a tilde and what is reserved in a key", "s3", "GET", "/*~!'()=@:,;$&", {}, {},
     "", "",
     "ea6b2d960d27511bf955b848f8b6a42e5dbbfb05d37a56b060adfc2e376c6ab9"},
    {"escapes of a key are not escapes", "s3", "GET", "/a%2Fb", {}, {},
     "", "",
     "18b372e168539260572015c2dac9bab574c60e8d8049fc17e3ce27370088519f"},
    {"empty segments and dots of a key stay", "s3", "GET", "//a/./b/../c", {}, {},
     "", "",
     "d64f03ad31357ab8a65e560d8aa24707f2319191b826e4d5703549d07c854615"},
    {"a key beyond ASCII", "s3", "GET", "/gr\303\266\303\237e/\341\210\264", {}, {},
     "", "",
     "94990d4cc97da8578bdbd00728303e57b0bd34b0f7dca8e53aa82d9230c7f23c"},
    {"a query with a slash, without values, unsorted", "s3", "GET", "/", {{"prefix", ".pulumi/stacks/"}, {"delimiter", "/"}, {"list-type", "2"}, {"acl", ""}}, {},
     "", "",
     "5b5dca31ea0c72bf10fe0edbffeb6599e69aade5ab67b30cc4906464fcc9aae3"},
    {"parameters of one name by their values", "s3", "GET", "/", {{"b", "2"}, {"a", "2"}, {"a", "10"}, {"a", ""}}, {},
     "", "",
     "fad75dcf09bb56db05c05f9dcf133cb71fbe930627fc70186d1e888af0977058"},
    {"names that sort otherwise when encoded", "s3", "GET", "/", {{"a~", "1"}, {"a b", "2"}, {"a", "3"}, {"a+", "4"}}, {},
     "", "",
     "bbd830cce8332216fa81660279d73b0a61775798865268f900d01684c2ea0c22"},
    {"a put with a condition and a body", "s3", "PUT", "/.pulumi/meta.yaml", {}, {{"Content-Type", "text/plain; charset=utf-8"}, {"If-None-Match", "*"}},
     "version: 1\n", "",
     "ce1e139120247b1cf18aed8b083638c765cfbb7a10a0d34fce168104d15c2056"},
    {"a session token", "s3", "PUT", "/x", {}, {{"Content-Type", "text/plain"}},
     "x", "AQoDYXdzEPT//////////w==/+x",
     "238eb3998a2c6596cebd5252d039150d209f8a377f14d46d8082b4e73e7747da"},
    {"a copy whose source is encoded", "s3", "PUT", "/to", {}, {{"x-amz-copy-source", "team/a%2Bb%20c"}},
     "", "",
     "2f8e4bf6928a2ceb27c125454ff86f41b114a804f6a371d4cbdef386bbf497a6"},
    {"elsewhere a path is encoded twice", "kms", "GET", "/a b/\341\210\264+", {}, {},
     "", "",
     "6edfa644cfcffa0eee4e9906a12f4dcc8a1b71c77e616a01bd9acb02c0175a48"},
    {"a call of the key service", "kms", "POST", "/", {}, {{"Content-Type", "application/x-amz-json-1.1"}, {"X-Amz-Target", "TrentService.Decrypt"}},
     "{\"CiphertextBlob\":\"AA==\"}", "tok",
     "976274154df80a4d27da7469a22860c1d216471066393a86b96122dfb30edd01"},
};
// clang-format on

std::string HeaderOf(const HttpRequest& request, const std::string& name) {
  for (const auto& [header, value] : request.headers) {
    if (header == name) return value;
  }
  return "";
}

std::string SignatureIn(const HttpRequest& request) {
  const std::string authorization = HeaderOf(request, "Authorization");
  const size_t at = authorization.find("Signature=");
  return at == std::string::npos ? "" : authorization.substr(at + 10);
}

AwsCredentials Example(const std::string& token) {
  return {
      .access_key = "AKIDEXAMPLE", .secret_key = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", .session_token = token};
}

TEST_CASE("requests are signed as AWS's test suite has it", "[cloud]") {
  CHECK(kPublished.size() == 37);
  for (const Published& row : kPublished) {
    INFO(row.name);
    const AwsRequest request{row.method, "https://example.amazonaws.com", row.path, row.query, row.headers, row.body};
    const SigningScope scope{"us-east-1", "service", "20150830T123600Z", row.path_as_sent};
    CHECK(SignatureIn(SignForAws(request, Example(row.token), scope)) == row.signature);
  }
}

TEST_CASE("requests that other signers get wrong are signed as botocore signs them", "[cloud]") {
  for (const Trap& row : kTraps) {
    INFO(row.name);
    const bool s3 = row.service == "s3";
    const std::string host = s3 ? "team.s3.eu-west-1.amazonaws.com" : "kms.eu-west-1.amazonaws.com";
    const AwsRequest request{row.method, "https://" + host, PercentEncodePath(row.path),
                             row.query,  row.headers,       row.body};
    const SigningScope scope{"eu-west-1", row.service, "20150830T123600Z", s3};
    CHECK(SignatureIn(SignForAws(request, Example(row.token), scope)) == row.signature);
  }
}

TEST_CASE("the URL that is sent is the one that was signed", "[cloud]") {
  AwsRequest request{.method = "GET", .endpoint = "http://127.0.0.1:9000", .path = "/team/a%20b"};
  request.query = {{"b", "/ +"}, {"a", ""}};
  const HttpRequest http = SignForAws(request, Example(""), {"us-east-1", "s3", "20150830T123600Z", true});
  CHECK(http.url == "http://127.0.0.1:9000/team/a%20b?a=&b=%2F%20%2B");
  CHECK(HeaderOf(http, "Host") == "127.0.0.1:9000");
  CHECK(HeaderOf(http, "X-Amz-Content-Sha256") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK_FALSE(http.follow_redirects);
}

TEST_CASE("a port that its scheme has anyway is not signed", "[cloud]") {
  const AwsRequest request{.method = "GET", .endpoint = "https://acme.com:443"};
  CHECK(HeaderOf(SignForAws(request, Example(""), {"x", "s3", "20150830T123600Z", true}), "Host") == "acme.com");
}

TEST_CASE("requests without credentials are not signed", "[cloud]") {
  const AwsRequest request{.method = "GET", .endpoint = "https://acme.com"};
  const HttpRequest http = SignForAws(request, AwsCredentials(), {"x", "s3", "20150830T123600Z", true});
  CHECK(HeaderOf(http, "Authorization").empty());
  CHECK(HeaderOf(http, "X-Amz-Date").empty());
}

}  // namespace kingpost::sigv4_test
