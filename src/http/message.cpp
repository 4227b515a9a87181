#include "kbuild/http/message.hpp"

namespace kbuild::http {

std::string_view to_string(Method method) {
    switch (method) {
    case Method::get:
        return "GET";
    case Method::head:
        return "HEAD";
    case Method::post:
        return "POST";
    case Method::put:
        return "PUT";
    }
    return "";
}

std::optional<std::string> Response::header(std::string_view name) const {
    for (auto entry = headers.rbegin(); entry != headers.rend(); ++entry)
        if (entry->name == name)
            return entry->value;
    return std::nullopt;
}

} // namespace kbuild::http
