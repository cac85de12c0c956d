#include "run_json.hpp"

#include <utility>

#include "../core/strict_json.hpp"
#include "attention/core/error.hpp"
#include "attention/core/utf8.hpp"
#include "check_run.hpp"

namespace attention::cli {

namespace {

// Calls f(name, field, least) for every setting but encoder_decoder and accumulate, which stand in
// a folder only where somebody asked for them: those of earlier versions, and their weights, are to
// stay what they are. A whole number has to be at least `least`.
template <class F>
void each_setting(auto& s, F f) {
  f("task", s.task), f("text", s.text);
  f("layers", s.layers, 1), f("heads", s.heads, 1), f("channels", s.channels, 1);
  f("hidden", s.hidden, 1), f("context", s.context, 1);
  f("positions", s.positions), f("norm", s.norm), f("tie", s.tie);
  f("steps", s.steps, 1), f("batch", s.batch, 1), f("warmup", s.warmup, 0);
  f("schedule", s.schedule), f("rate", s.rate), f("dropout", s.dropout);
  f("clip", s.clip), f("decay", s.decay), f("seed", s.seed, 0);
  f("eval_every", s.eval_every, 1), f("samples", s.samples, 1);
}

Json to_json(const Settings& settings) {
  Json json;
  each_setting(settings, [&](const char* name, const auto& field, int = 0) { json[name] = field; });
  if (settings.encoder_decoder) json["encoder_decoder"] = true;
  if (settings.accumulate > 1) json["accumulate"] = settings.accumulate;
  return json;
}

const Json& member(const Json& json, const char* name) {
  if (!json.is_object() || !json.contains(name)) fail("{} is missing", name);
  return json.at(name);
}

template <class T>
void read(const Json& json, const char* name, T& field, int least = 0) {
  const Json& value = member(json, name);
  if constexpr (std::is_same_v<T, std::string>) {
    if (!value.is_string()) fail("{} is {}, where a text is needed", name, value.dump());
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!value.is_boolean()) fail("{} is {}, where true or false is needed", name, value.dump());
  } else if constexpr (std::is_same_v<T, double>) {
    if (!value.is_number()) fail("{} is {}, where a number is needed", name, value.dump());
  } else {
    const bool fits = value.is_number_unsigned() && std::in_range<T>(value.get<std::uint64_t>()) &&
                      value.get<std::uint64_t>() >= static_cast<std::uint64_t>(least);
    if (!fits) fail("{} is {}, where a whole number from {} is needed", name, value.dump(), least);
  }
  field = value.get<T>();
}

Settings read_settings(const Json& json) {
  Settings settings;
  each_setting(settings, [&](const char* name, auto& field, int least = 0) {
    read(json, name, field, least);
  });
  if (json.contains("encoder_decoder")) read(json, "encoder_decoder", settings.encoder_decoder);
  if (json.contains("accumulate")) read(json, "accumulate", settings.accumulate, 1);
  return settings;
}

// Characters are kept as one text, words as a list.
Json symbols_to_json(const std::vector<std::string>& symbols) {
  if (Alphabet(symbols).has_words()) return symbols;
  std::string text;
  for (const std::string& symbol : symbols) text += symbol;
  return text;
}

std::vector<std::string> read_symbols(const Json& json) {
  const Json& symbols = member(json, "symbols");
  if (!symbols.is_array()) {
    std::string text;
    read(json, "symbols", text);
    return Alphabet(decode_utf8(text)).symbols();
  }
  for (const Json& word : symbols)
    if (!word.is_string()) fail("symbols has {}, where a word is needed", word.dump());
  return Alphabet(symbols.get<std::vector<std::string>>()).symbols();
}

Json to_json(const Writing& writing, const Alphabet& alphabet) {
  return {{"tokens", writing.tokens},
          {"mark", writing.mark < 0 ? "" : alphabet.symbol(writing.mark)},
          {"temperature", writing.temperature},
          {"form", writing.form}};
}

Writing read_writing(const Json& json, const Alphabet& alphabet) {
  Writing writing;
  std::string mark;
  read(json, "tokens", writing.tokens, 1);
  read(json, "mark", mark);
  read(json, "temperature", writing.temperature);
  read(json, "form", writing.form);
  const std::vector<int> ids = alphabet.encode(mark);
  if (ids.size() > 1) fail("mark is '{}', where one symbol is needed", mark);
  if (!ids.empty()) writing.mark = ids[0];
  return writing;
}

constexpr const char* format = "attention.cpp run 1";

Json to_json(const Run& run) {
  Json json{{"format", format},
            {"settings", to_json(run.settings)},
            {"symbols", symbols_to_json(run.symbols)},
            {"causal", run.causal},
            {"fingerprint", run.fingerprint},
            {"sample", run.sample}};
  if (run.writing.tokens > 0) json["writing"] = to_json(run.writing, Alphabet(run.symbols));
  return json;
}

Run read_run(const Json& json) {
  if (member(json, "format") != format)
    fail("format is {}, where \"{}\" is needed", json.at("format").dump(), format);
  Run run;
  run.settings = read_settings(member(json, "settings"));
  run.symbols = read_symbols(json);
  const Alphabet alphabet(run.symbols);
  read(json, "causal", run.causal);
  if (json.contains("writing"))  // of tasks that are written to an end
    run.writing = read_writing(json.at("writing"), alphabet);
  read(json, "fingerprint", run.fingerprint);
  read(json, "sample", run.sample);
  return run;
}

// A member that would not be written again would silently count for nothing.
void check_members(const Json& given, const Json& known) {
  for (const auto& [name, value] : given.items()) {
    if (!known.contains(name)) fail("{} is nothing that this version knows", name);
    if (value.is_object()) check_members(value, known.at(name));
  }
}

}  // namespace

std::string run_text(const Run& run) { return to_json(run).dump(2) + "\n"; }

Run parse_run(const std::string& text) {
  try {
    if (text.empty()) fail("it is empty");
    const Json json = parse_strictly<Json>(text, "it");
    const Run run = read_run(json);
    check_members(json, to_json(run));
    check_run(run);
    return run;
  } catch (const Error& error) {  // which may repeat whatever the text says
    fail("{}", short_line(error.what()));
  }
}

std::string settings_text(const Run& run) {
  Json json = to_json(run.settings);
  for (const char* only_looking : {"eval_every", "samples"}) json.erase(only_looking);
  return json.dump();
}

}  // namespace attention::cli
