#include "kbuild/model/git_url.hpp"

#include <catch2/catch.hpp>

using kbuild::model::is_git_url;

TEST_CASE("git URLs are those of upstream's seven schemes and scp's short form") {
    for (const auto* url : {"https://github.com/a/b",
                            "http://host/x",
                            "git://host/x",
                            "ssh://git@host/x",
                            "git+ssh://host/x",
                            "git+https://host/x",
                            "git+http://host/x",
                            "git@github.com:a/b.git",
                            "git@host:path"})
        CHECK(is_git_url(url));
    for (const auto* url : {"",
                            "ftp://host/x",
                            "file:///x",
                            "plain text",
                            "github.com/a/b",
                            "host:/absolute",
                            ":path",
                            "https://"})
        CHECK_FALSE(is_git_url(url));
}
