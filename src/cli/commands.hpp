// The commands of the program, a file each. A command adds its options to the parser and returns
// what is to be done once they are read; that returns the exit code.
#pragma once

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <functional>

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
    return fmt::format("{} is not a whole number from {} up", text, least);
  };
  return app.add_option(name, value, what)->type_name("N")->check(check);
}

// An option that is a number of at least 0; `below`: and less than that.
template <class Number>
CLI::Option* add_amount(CLI::App& app, const char* name, Number& value, const char* what,
                        double below = 1e30) {
  auto check = [below](const std::string& text) -> std::string {
    double number = 0;
    if (CLI::detail::lexical_cast(text, number) && number >= 0 && number < below) return "";
    return below < 1e30 ? fmt::format("{} is not a number from 0 to below {}", text, below)
                        : fmt::format("{} is not a number from 0 up", text);
  };
  return app.add_option(name, value, what)->type_name("X")->check(check);
}

inline CLI::Option* add_threads(CLI::App& app, int& threads) {
  return add_count(app, "--threads", threads, "as many as there are processors");
}

inline void use_threads(int asked) {
  if (asked > 0) set_threads(asked);
}

}  // namespace attention::cli
