#include "scripted_transport.hpp"

#include "kbuild/hub/lfs.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

using namespace kbuild;
using http::Request;
using http::Response;
using nlohmann::json;

namespace {

/// An LFS server with a store, as strict as a signed one: no token, sizes fit.
struct Store {
    std::size_t part_size = 0; ///< 0: plain uploads
    bool verifies = true;
    int expired = 0; ///< so many uploads find their address expired
    bool gives_etags = true;
    std::set<std::string> objects;
    std::map<std::string, std::size_t> received; ///< body bytes by path
    int batches = 0;

    Response answer(const Request& request) {
        if (request.url == "https://hub.test/kernels/lab/gemm.git/info/lfs/objects/batch")
            return batch(json::parse(text_of(request)));
        const auto path = path_of(request);
        if (path.starts_with("/verify")) {
            const auto asked = json::parse(text_of(request));
            return answer_json("{}", objects.contains(asked["oid"]) ? 200 : 404);
        }
        if (expired > 0) {
            --expired;
            return answer_json("expired", 403);
        }
        if (request.method == http::Method::put) {
            const auto& range = std::get<http::FileRange>(request.body);
            received[path] += range.length;
            if (path.find("part") == std::string::npos)
                objects.insert(path.substr(1, 64));
            return {200,
                    gives_etags ? std::vector<http::Header>{{"etag", "\"" + path + "\""}}
                                : std::vector<http::Header>{},
                    "",
                    ""};
        }
        objects.insert(json::parse(text_of(request))["oid"]);
        return answer_json("{}");
    }

    Response batch(const json& asked) {
        ++batches;
        auto list = json::array();
        for (const auto& object : asked["objects"]) {
            json entry = {{"oid", object["oid"]}, {"size", object["size"]}};
            const std::string oid = object["oid"];
            if (!objects.contains(oid))
                entry["actions"] = actions(oid, object["size"]);
            list.push_back(entry);
        }
        return answer_json(json({{"objects", list}}).dump());
    }

    json actions(const std::string& oid, std::size_t size) const {
        json upload = {{"href", "https://s3.test/" + oid + "?sig=1"}};
        if (part_size > 0) {
            upload["header"]["chunk_size"] = std::to_string(part_size);
            for (std::size_t i = 0; i * part_size < size; ++i)
                upload["header"]["0000" + std::to_string(i + 1)] =
                    "https://s3.test/" + oid + "/part" + std::to_string(i + 1);
        }
        json all = {{"upload", upload}};
        if (verifies)
            all["verify"] = {{"href", "https://hub.test/verify"}};
        return all;
    }
};

struct Bed {
    Store store;
    ScriptedTransport transport{[this](const Request& request) { return store.answer(request); }};
    NoPause pause;
    hub::Connection connection{transport, pause, {}, "https://hub.test", http::Secret("hf_t")};
    support::TempDir folder = support::TempDir::create("/tmp", "kbuild-lfs-").value();
    std::vector<std::string> arrived;
    std::mutex mutex;

    hub::LfsObject object(const std::string& text) {
        const auto oid = support::to_hex(support::sha256(text));
        const auto path = folder.path() / oid;
        REQUIRE(support::write_file_atomically(path, text));
        return {oid, text.size(), path};
    }
    support::Result<hub::LfsSummary> upload(std::vector<hub::LfsObject> objects) {
        const hub::LfsEvents events{{}, [this](const std::string& oid) { arrived.push_back(oid); }};
        const hub::Repository repository{hub::RepositoryType::kernel, "lab", "gemm"};
        return hub::upload_objects(
            connection, hub::lfs_remote(connection, repository, "v1"), std::move(objects), events);
    }
    std::size_t puts() const {
        return static_cast<std::size_t>(
            std::count_if(transport.seen.begin(), transport.seen.end(), [](const Request& request) {
                return request.method == http::Method::put;
            }));
    }
};

} // namespace

TEST_CASE("objects are sent once each, verified, and the token only goes to the endpoint") {
    Bed bed;
    const auto a = bed.object("aaaa");
    const auto b = bed.object("bb");
    const auto summary = bed.upload({a, b, a});
    REQUIRE(summary);
    CHECK(summary->sent == 2);
    CHECK(summary->bytes == 6);
    CHECK(bed.puts() == 2);
    CHECK(bed.store.objects == std::set<std::string>{a.sha256, b.sha256});
    CHECK(bed.arrived.size() == 2);
    for (const auto& request : bed.transport.seen)
        CHECK(request.authorization.empty() == request.url.starts_with("https://s3.test/"));
    const auto batch = json::parse(text_of(bed.transport.seen.front()));
    CHECK(batch["operation"] == "upload");
    CHECK(batch["transfers"] == json({"basic", "multipart"}));
    CHECK(batch["hash_algo"] == "sha256");
    CHECK(batch["ref"]["name"] == "v1");
}

TEST_CASE("what the server has is not sent") {
    Bed bed;
    const auto a = bed.object("aaaa");
    bed.store.objects.insert(a.sha256);
    const auto summary = bed.upload({a});
    REQUIRE(summary);
    CHECK(summary->sent == 0);
    CHECK(summary->present == 1);
    CHECK(bed.puts() == 0);
    CHECK(bed.arrived == std::vector{a.sha256});
}

TEST_CASE("a large object goes in parts, which are completed with their ETags") {
    Bed bed;
    bed.store.part_size = 4;
    const auto a = bed.object("0123456789");
    REQUIRE(bed.upload({a}));
    CHECK(bed.store.received == std::map<std::string, std::size_t>{{"/" + a.sha256 + "/part1", 4},
                                                                   {"/" + a.sha256 + "/part2", 4},
                                                                   {"/" + a.sha256 + "/part3", 2}});
    const auto completion = std::find_if(
        bed.transport.seen.begin(), bed.transport.seen.end(), [&](const Request& request) {
            return request.method == http::Method::post &&
                   request.url.starts_with("https://s3.test/");
        });
    REQUIRE(completion != bed.transport.seen.end());
    const auto body = json::parse(text_of(*completion));
    CHECK(body["oid"] == a.sha256);
    CHECK(body["parts"][2] == json({{"partNumber", 3}, {"etag", "\"/" + a.sha256 + "/part3\""}}));
    CHECK(completion->authorization.empty());
}

TEST_CASE("an address that expired is asked for again, with the rest left alone") {
    Bed bed;
    const auto a = bed.object("aaaa");
    const auto b = bed.object("bb");
    bed.store.expired = 1;
    const auto summary = bed.upload({a, b});
    REQUIRE(summary);
    CHECK(bed.store.batches == 2);
    CHECK(summary->sent == 2);
    CHECK(bed.store.objects.size() == 2);
}

TEST_CASE("an address that never works is an error after a few rounds") {
    Bed bed;
    bed.store.expired = 100;
    const auto summary = bed.upload({bed.object("aaaa")});
    REQUIRE_FALSE(summary);
    CHECK(summary.error().message.starts_with("PUT https://s3.test/"));
    CHECK(summary.error().message.find("sig=1") == std::string::npos);
    CHECK(bed.store.batches == 4);
}

TEST_CASE("a part without an ETag does not count") {
    Bed bed;
    bed.store.part_size = 2;
    bed.store.gives_etags = false;
    CHECK_FALSE(bed.upload({bed.object("aaaa")}));
    CHECK(bed.store.objects.empty());
}

TEST_CASE("parts that do not fit the size are refused before anything is sent") {
    Bed bed;
    bed.store.part_size = 4;
    auto a = bed.object("0123456789");
    a.size = 20; // the answer has five parts then; cut one off
    ScriptedTransport transport([&](const Request& request) {
        auto response = bed.store.answer(request);
        auto body = json::parse(response.body);
        body["objects"][0]["actions"]["upload"]["header"].erase("00005");
        response.body = body.dump();
        return response;
    });
    const hub::Connection connection{transport, bed.pause, {}, "https://hub.test", {}};
    CHECK_FALSE(hub::upload_objects(
        connection,
        hub::lfs_remote(connection, {hub::RepositoryType::kernel, "lab", "gemm"}, ""),
        {a},
        {}));
    CHECK(transport.seen.size() == 1);
}

TEST_CASE("an action's own Authorization takes the place of the token") {
    ScriptedTransport transport([](const Request& request) {
        if (request.method == http::Method::put)
            return Response{200, {}, "", ""};
        const auto oid = json::parse(text_of(request))["objects"][0]["oid"];
        return answer_json(json({{"objects",
                                  {{{"oid", oid},
                                    {"size", 1},
                                    {"actions",
                                     {{"upload",
                                       {{"href", "https://hub.test/put"},
                                        {"header",
                                         {{"Authorization", "Bearer jwt"},
                                          {"Transfer-Encoding", "chunked"},
                                          {"X-Own", "1"}}}}}}}}}}})
                               .dump());
    });
    NoPause pause;
    const hub::Connection connection{
        transport, pause, {}, "https://hub.test", http::Secret("hf_t")};
    const hub::LfsObject object{std::string(64, 'c'), 1, "/dev/null"};
    REQUIRE(hub::upload_objects(
        connection,
        hub::lfs_remote(connection, {hub::RepositoryType::kernel, "lab", "gemm"}, ""),
        {object},
        {}));
    const auto& put = transport.seen.back();
    CHECK(put.authorization.reveal() == "Bearer jwt");
    CHECK(put.headers == std::vector<http::Header>{{"X-Own", "1"}});
}
