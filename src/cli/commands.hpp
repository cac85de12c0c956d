// The commands of the program, a file each. A command adds its options to the parser and returns
// what is to be done once they are read; that returns the exit code.
#pragma once

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "attention/core/threads.hpp"

namespace attention::cli {

using Command = std::function<int()>;

Command add_train(CLI::App& app);
Command add_eval(CLI::App& app);
Command add_generate(CLI::App& app);
Command add_show(CLI::App& app);
Command add_tasks(CLI::App& app);
Command add_bench(CLI::App& app);

// An option that is a whole number from `least` up to the largest int.
template <class Number>
CLI::Option* add_count(CLI::App& app, const char* name, Number& value, const char* what,
                       int least = 1) {
  auto check = [least](const std::string& text) -> std::string {
    int number = 0;
    if (CLI::detail::lexical_cast(text, number) && number >= least) return "";
    return fmt::format("'{}' is not a whole number from {} to {}", text, least,
                       std::numeric_limits<int>::max());
  };
  return app.add_option(name, value, what)->type_name("N")->check(check);
}

struct Range {
  double low = 0, below = std::numeric_limits<double>::infinity();
  bool low_too = true;  // whether low itself will do
};

// An option that is a number in a range.
template <class Number>
CLI::Option* add_amount(CLI::App& app, const char* name, Number& value, const char* what,
                        Range range = {}) {
  auto check = [range](const std::string& text) -> std::string {
    double x = 0;
    const bool fits = CLI::detail::lexical_cast(text, x) && std::isfinite(x) && x < range.below &&
                      (range.low_too ? x >= range.low : x > range.low);
    if (fits) return "";
    return fmt::format("'{}' is not a number {} {}{}", text, range.low_too ? "from" : "above",
                       range.low,
                       std::isfinite(range.below) ? fmt::format(" to below {}", range.below) : "");
  };
  return app.add_option(name, value, what)->type_name("X")->check(check);
}

inline CLI::Option* add_seed(CLI::App& app, std::uint64_t& seed, const char* what) {
  auto check = [](const std::string& text) -> std::string {
    const bool digits = text.find_first_not_of("0123456789") == text.npos;
    std::uint64_t number = 0;
    if (digits && CLI::detail::lexical_cast(text, number) && std::to_string(number) == text)
      return "";
    return fmt::format("'{}' is not a whole number from 0 to {}", text,
                       std::numeric_limits<std::uint64_t>::max());
  };
  return app.add_option("--seed", seed, what)->type_name("N")->check(check)->capture_default_str();
}

inline CLI::Option* add_folder(CLI::App& app, std::string& folder) {
  return app.add_option("DIR", folder, "what attention train left")->type_name("")->required();
}

inline CLI::Option* add_threads(CLI::App& app, int& threads) {
  return add_count(app, "--threads", threads, "as many as there are processors");
}

inline void use_threads(int asked) {
  if (asked > 0) set_threads(asked);
}

}  // namespace attention::cli
