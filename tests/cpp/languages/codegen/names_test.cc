// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/names.h"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "languages/schema/bind.h"

namespace kingpost::names_test {

using namespace codegen;

Packages SchemasOf(const std::string& package, const std::string& json) {
  auto parsed = schema::Open(package, json);
  REQUIRE(parsed.ok());
  return {{package, *parsed}};
}

std::string Spelled(const SdkName& name) {
  std::string text = name.import;
  for (const std::string& module : name.modules) text += " " + module;
  return text + " " + name.type;
}

TEST_CASE("functions are spelled as Python SDKs were published", "[codegen]") {
  CHECK(PythonFunctionName("azure:network/getPublicIPs:getPublicIPs") == "get_public_i_ps");
  CHECK(PythonFunctionName("gcp:monitoring/getUptimeCheckIPs:getUptimeCheckIPs") == "get_uptime_check_i_ps");
  CHECK(PythonFunctionName("aws:ec2/getAmi:getAmi") == "get_ami");
  CHECK(PythonFunctionName("acme:index:getVPCIDs") == "get_vpcids");
}

TEST_CASE("properties are spelled as Python SDKs were published", "[codegen]") {
  // From SDKs that exist: AWS, Azure Native, Kubernetes, GCP.
  const std::vector<std::pair<const char*, const char*>> kNames = {
      {"bucketPrefix", "bucket_prefix"},
      {"cidrBlock", "cidr_block"},
      {"publicIPs", "public_ips"},
      {"enableDNSSupport", "enable_dns_support"},
      {"sha256Hash", "sha256_hash"},
      {"SHA256Hash", "sha256_hash"},
      {"clusterIP", "cluster_ip"},
      {"externalIPs", "external_ips"},
      {"openXJsonSerDe", "open_x_json_ser_de"},
      {"apiVersion", "api_version"},
      {"s3Bucket", "s3_bucket"},
      {"x509Certificate", "x509_certificate"},
      {"pluginDownloadURL", "plugin_download_url"},
      {"from", "from_"},
      {"import", "import_"},
      {"print", "print_"},
      {"None", "none"},
      {"class", "class_"},
      {"a-b", "a_b"},
      {"1st", "_1st"},
      {"already_snake", "already_snake"},
      {"", ""},
  };
  for (const auto& [name, spelled] : kNames) CHECK(PythonName(name) == spelled);
}

TEST_CASE("settings are named after the place of their secret", "[codegen]") {
  CHECK(CamelCase("app-db-password") == "appDbPassword");
  CHECK(CamelCase("Web-users-0-accessKey") == "webUsers0AccessKey");
  CHECK(CamelCase("\xE6\x97\xA5").empty());
}

TEST_CASE("variables differ, and are no keywords", "[codegen]") {
  Identifiers python(Identifiers::Style::kSnake, IsPythonKeyword, {"pulumi", "aws"});
  CHECK(python.Take("application-vpc", "Vpc") == "application_vpc");
  CHECK(python.Take("application_vpc", "Vpc") == "application_vpc_vpc");
  CHECK(python.Take("applicationVpc", "Vpc") == "application_vpc_vpc2");
  CHECK(python.Take("class", "Function") == "class_function");
  CHECK(python.Take("aws", "Provider") == "aws_provider");
  CHECK(python.Take("\xE6\x97\xA5\xE6\x9C\xAC", "Bucket") == "bucket");
  CHECK(python.Take("1st www.example.com/", "Site") == "_1st_www_example_com");
  CHECK(python.Keep("myVpc") == "myVpc");

  Identifiers node(Identifiers::Style::kAsIs, IsTypeScriptKeyword, {});
  CHECK(node.Take("exports", "Table") == "exportsTable");
  CHECK(node.Take("myVpc", "Vpc") == "myVpc");
  CHECK(node.Take("my-vpc", "Vpc") == "my_vpc");
}

TEST_CASE("the names of a package's SDKs come from its schema", "[codegen]") {
  const Packages aws = SchemasOf("aws", R"-({"name": "aws", "meta": {"moduleFormat": "(.*)(?:/[^/]*)"},
    "resources": {"aws:s3/bucket:Bucket": {}}})-");
  CHECK(Spelled(PythonSdk("aws:s3/bucket:Bucket", aws)) == "pulumi_aws s3 Bucket");
  CHECK(Spelled(NodeSdk("aws:s3/bucket:Bucket", aws)) == "@pulumi/aws s3 Bucket");
  CHECK(Spelled(PythonSdk("pulumi:providers:aws", aws)) == "pulumi_aws Provider");
  CHECK(ShortToken("aws:s3/bucket:Bucket", aws) == "aws:s3:Bucket");

  const Packages kubernetes = SchemasOf("kubernetes", R"({"name": "kubernetes",
    "language": {"python": {"moduleNameOverrides": {"apps/v1": "apps/v1", "flow.k8s.io/v1": "flow/v1"}},
                 "nodejs": {"moduleToPackage": {"flow.k8s.io/v1": "flow/v1"}}}})");
  CHECK(Spelled(PythonSdk("kubernetes:flow.k8s.io/v1:Schema", kubernetes)) == "pulumi_kubernetes flow v1 Schema");
  CHECK(Spelled(NodeSdk("kubernetes:flow.k8s.io/v1:Schema", kubernetes)) == "@pulumi/kubernetes flow v1 Schema");

  const Packages own = SchemasOf("my-pkg", R"({"name": "my-pkg", "namespace": "acme-inc",
    "language": {"nodejs": {"packageName": "@acme/things"}}})");
  CHECK(Spelled(PythonSdk("my-pkg:index:thing", own)) == "acme_inc_my_pkg Thing");
  CHECK(Spelled(NodeSdk("my-pkg:index:thing", own)) == "@acme/things Thing");
}

TEST_CASE("without a schema the usual conventions hold", "[codegen]") {
  CHECK(Spelled(PythonSdk("random:index/randomPet:RandomPet", {})) == "pulumi_random RandomPet");
  CHECK(Spelled(NodeSdk("aws:s3/bucketV2:BucketV2", {})) == "@pulumi/aws s3 BucketV2");
  CHECK(Spelled(PythonSdk("aws-native:s3:Bucket", {})) == "pulumi_aws_native s3 Bucket");
  CHECK(Spelled(PythonSdk("pulumi:pulumi:StackReference", {})) == " StackReference");
  CHECK(Spelled(PythonSdk("pulumi:index:Stash", {})) == " Stash");
  CHECK(ShortToken("random:index/randomPet:RandomPet", {}) == "random:RandomPet");
  CHECK(ShortToken("azure:a/b:Thing", {}) == "azure:a/b:Thing");
}

}  // namespace kingpost::names_test
