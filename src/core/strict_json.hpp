// JSON that anybody may have written, read strictly: for the header of a checkpoint and for
// run.json. What the members mean is their readers' affair.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "attention/core/error.hpp"

namespace attention {

inline constexpr int deepest_json = 3;  // an array in an object in an object, as our formats have

// `what` is the text's name in messages. Throws on what is not JSON from end to end or is nested
// deeper, and on a name that stands twice in one object: it would silently win over the first.
template <class Json>
Json parse_strictly(std::string_view text, const char* what) {
  std::vector<std::set<std::string>> names;  // of each object that is open
  const auto enter = [&](const std::string& name) {
    if (name.find('\0') != name.npos) fail("{} has a name that holds a zero byte", what);
    if (!names.back().insert(name).second) fail("{} has {} twice", what, name);
  };
  const auto check = [&](int depth, typename Json::parse_event_t event, const Json& parsed) {
    if (depth > deepest_json) fail("{} is nested deeper than the format knows", what);
    if (event == Json::parse_event_t::object_start) names.emplace_back();
    if (event == Json::parse_event_t::object_end) names.pop_back();
    if (event == Json::parse_event_t::key) enter(parsed.template get<std::string>());
    return true;
  };
  // To the parser a zero byte is the end, whatever follows.
  if (const auto zero = text.find('\0'); zero != text.npos)
    fail("{} is not JSON: byte {} of it is 0", what, zero);
  try {
    return Json::parse(text.begin(), text.end(), check);
  } catch (const typename Json::parse_error& error) {
    fail("{} is not JSON: it goes wrong at byte {} of {}", what, std::min(error.byte, text.size()),
         text.size());
  } catch (const typename Json::out_of_range&) {
    fail("{} holds a number too large for any computer", what);
  }
}

}  // namespace attention
