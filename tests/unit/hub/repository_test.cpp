#include "kbuild/hub/repository.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <map>

using namespace kbuild;
using Values = std::map<std::string, std::string>;
using hub::Repository;
using hub::RepositoryType;

namespace {

/// Sets variables for a test; what they were comes back.
class Variables {
  public:
    explicit Variables(const std::map<std::string, std::string>& values) {
        for (const auto* const name :
             {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_TOKEN_PATH", "HF_HOME", "HF_ENDPOINT"}) {
            const auto* const old = std::getenv(name);
            if (old != nullptr)
                old_[name] = old;
            ::unsetenv(name);
            if (const auto found = values.find(name); found != values.end())
                ::setenv(name, found->second.c_str(), 1);
            names_.emplace_back(name);
        }
    }
    Variables(const Variables&) = delete;
    Variables& operator=(const Variables&) = delete;
    ~Variables() {
        for (const auto& name : names_) {
            ::unsetenv(name.c_str());
            if (old_.contains(name))
                ::setenv(name.c_str(), old_[name].c_str(), 1);
        }
    }

  private:
    std::vector<std::string> names_;
    std::map<std::string, std::string> old_;
};

} // namespace

TEST_CASE("kernels live below `kernels/`, models at the top") {
    const auto kernel = Repository::parse(RepositoryType::kernel, "my-org/my.kernel_1").value();
    CHECK(kernel.api_path() == "/api/kernels/my-org/my.kernel_1");
    CHECK(kernel.page_path() == "/kernels/my-org/my.kernel_1");
    const auto model = Repository::parse(RepositoryType::model, "my-org/my-model").value();
    CHECK(model.api_path() == "/api/models/my-org/my-model");
    CHECK(model.page_path() == "/my-org/my-model");
}

TEST_CASE("a repository is `owner/name`") {
    for (const auto* const id :
         {"", "a", "a/", "/b", "a/b/c", "a/../b", "a/b?c", "a b/c", "-a/b", "../b"}) {
        INFO(id);
        CHECK_FALSE(Repository::parse(RepositoryType::kernel, id));
    }
}

TEST_CASE("the token comes from the first place that has one") {
    const auto folder = support::TempDir::create("/tmp", "kbuild-token-").value();
    const auto file = folder.path() / "token";
    REQUIRE(support::write_file_atomically(file, "hf_file\n"));
    std::filesystem::permissions(file, std::filesystem::perms{0600});

    SECTION("the variable") {
        const Variables variables(
            Values{{"HF_TOKEN", " hf_variable\n"}, {"HF_HOME", folder.path()}});
        const auto token = hub::find_token().value();
        CHECK(token->secret.reveal() == "hf_variable");
        CHECK(token->origin == "the variable `HF_TOKEN`");
    }
    SECTION("the file") {
        const Variables variables(Values{{"HF_HOME", folder.path()}});
        const auto token = hub::find_token().value();
        CHECK(token->secret.reveal() == "hf_file");
        CHECK_FALSE(token->readable_by_others);
    }
    SECTION("a file that others can read is told apart") {
        std::filesystem::permissions(file, std::filesystem::perms{0640});
        const Variables variables(Values{{"HF_TOKEN_PATH", file}});
        CHECK(hub::find_token().value()->readable_by_others);
    }
    SECTION("none") {
        const Variables variables(Values{{"HF_HOME", folder.path() / "nowhere"}});
        CHECK_FALSE(hub::find_token().value());
    }
    SECTION("what is no token is not sent, and not shown") {
        const Variables variables(Values{{"HF_TOKEN", "hf\r\nHost: evil"}});
        const auto token = hub::find_token();
        REQUIRE_FALSE(token);
        CHECK(token.error().message == "the variable `HF_TOKEN` holds something that is no token");
    }
}

TEST_CASE("the endpoint is https, or this machine") {
    const auto endpoint = [](const std::string& text) {
        const Variables variables(Values{{"HF_ENDPOINT", text}});
        return hub::endpoint_from_environment();
    };
    CHECK(endpoint("https://hub.test/") == "https://hub.test");
    CHECK(endpoint("http://localhost:8080") == "http://localhost:8080");
    CHECK_FALSE(endpoint("http://hub.test"));
    CHECK_FALSE(endpoint("hub"));
    const Variables none(Values{});
    CHECK(hub::endpoint_from_environment() == "https://huggingface.co");
}
