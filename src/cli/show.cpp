// attention show: where each head looks for one input, in the terminal and as pictures.
#include "attention/core/error.hpp"
#include "attention/draw/font.hpp"
#include "attention/draw/terminal.hpp"
#include "attention/tensor/ops.hpp"
#include "commands.hpp"
#include "pictures.hpp"

namespace attention::cli {
namespace {

constexpr int most_maps = 8;  // printed unless a layer or head is chosen

struct Options {
  std::string folder, input;
  int layer = 0, head = 0;  // from 1; 0 for all
};

void check_choice(const char* what, int chosen, int count) {
  if (chosen > count) fail("show: {} {}; the model has {}", what, chosen, count);
}

int show(const Options& options) {
  const Folder folder{options.folder};
  const Run run = load_run(folder);
  const Transformer model = load_model(folder, run);
  const Alphabet alphabet(run.symbols);
  const std::vector<int> ids = alphabet.encode(options.input.empty() ? run.sample : options.input);
  if (ids.empty()) fail("show: an empty input; give at least one symbol");
  check_choice("layer", options.layer, model.config.layers);
  check_choice("head", options.head, model.config.heads);

  const draw::AttentionSheet sheet =
      attention_sheet(model, alphabet, ids, run.settings.task + ": attention weights");
  const draw::Terminal terminal = draw::terminal();
  int printed = 0, left_out = 0;
  for (int layer = 1; layer <= model.config.layers; ++layer)
    for (int head = 1; head <= model.config.heads; ++head) {
      if (options.layer > 0 && layer != options.layer) continue;
      if (options.head > 0 && head != options.head) continue;
      if (printed == most_maps && options.layer == 0 && options.head == 0) {
        ++left_out;
        continue;
      }
      const Tensor map = slice(sheet.layers[layer - 1], 0, head - 1, head);  // (1, T, T)
      fmt::print("{}\n", draw::to_text({.values = reshape(map, {map.size(1), map.size(2)}),
                                        .rows = sheet.queries,
                                        .columns = sheet.keys,
                                        .title = fmt::format("layer {} head {}", layer, head)},
                                       terminal));
      ++printed;
    }
  if (left_out > 0)
    fmt::print("{} more maps: --layer L and --head H choose some, the picture has all\n", left_out);

  draw::render(sheet).save(folder.picture("attention"));
  fmt::print("pictures  {}\n", folder.picture("attention").string());
  if (model.positions.table.defined()) {
    draw::render(draw::positions(model.positions.table)).save(folder.picture("positions"));
    fmt::print("          {}\n", folder.picture("positions").string());
  }
  if (const std::string note = draw::font_note(); !note.empty()) fmt::print("{}\n", note);
  return 0;
}

}  // namespace

Command add_show(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("folder", options->folder, "what attention train left")
      ->type_name("DIR")
      ->required();
  app.add_option("--input", options->input, "what to look at (an unseen sequence)");
  add_count(app, "--layer", options->layer, "one layer only, counted from 1");
  add_count(app, "--head", options->head, "one head only, counted from 1");
  return [options] { return show(*options); };
}

}  // namespace attention::cli
