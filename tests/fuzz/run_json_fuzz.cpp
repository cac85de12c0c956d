// The reader of run.json. What it takes is written and read again, and must be the same; and it
// must be a run that the rest of the program can work with.
#include "../../src/cli/run_json.hpp"
#include "fuzz.hpp"

using namespace attention;
using fuzz::require;

namespace {

// What comes after the reader: a model's sizes, an input. None of it may throw.
void check_use(const cli::Run& run) {
  const Alphabet alphabet(run.symbols);
  const TransformerConfig config =
      checked(cli::model_config(run, static_cast<Size>(run.symbols.size())));
  require(config.heads >= 1 && config.channels % config.heads == 0, "heads divide the channels");
  require(run.writing.mark < alphabet.size(), "the mark is a symbol");
  require(!alphabet.encode(run.sample).empty(), "the sample is an input");
  require(!cli::settings_text(run).empty(), "the settings can be kept with weights");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  const auto run = fuzz::attempt([&] { return cli::parse_run(text); });
  if (!run) return 0;
  check_use(*run);
  const std::string written = cli::run_text(*run);
  const cli::Run again = cli::parse_run(written);
  require(cli::run_text(again) == written, "a run is the same after writing");
  require(cli::settings_text(again) == cli::settings_text(*run), "so are its settings");
  require(again.symbols == run->symbols && again.writing.mark == run->writing.mark,
          "so are its symbols");
  return 0;
}
