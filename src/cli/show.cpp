// attention show: where each head looks for one input, in the terminal and as pictures.
#include "attention/core/error.hpp"
#include "attention/draw/font.hpp"
#include "attention/draw/terminal.hpp"
#include "attention/tensor/ops.hpp"
#include "commands.hpp"
#include "pictures.hpp"
#include "respond.hpp"
#include "words.hpp"

namespace attention::cli {
namespace {

constexpr int most_maps = 8;   // printed unless a layer or head is chosen
constexpr int narrowest = 40;  // columns

struct Options {
  std::string folder, input, out;
  int layer = 0, head = 0;  // from 1; 0 for all
};

void check_choice(const char* what, int chosen, int count) {
  if (chosen > count) fail("{} {}; the model has {}", what, chosen, count);
}

int show(const Options& options) {
  const Folder folder{options.folder};
  const Folder out{options.out.empty() ? options.folder : options.out};
  const Run run = load_run(folder);
  const Transformer model = load_model(folder, run);
  const std::string& input = options.input.empty() ? run.sample : options.input;
  const std::vector<int> ids = encode(run, input, "--input");
  const auto count = static_cast<Size>(ids.size());
  if (count > model.config.context)
    fail("--input has {}; the model sees {} at once", counted(count, "symbol"),
         model.config.context);
  check_choice("layer", options.layer, model.config.layers);
  check_choice("head", options.head, model.config.heads);

  const draw::AttentionSheet sheet =
      attention_sheet(model, Alphabet(run.symbols), ids, run.settings.task + ": attention weights");
  draw::Terminal terminal = draw::terminal();
  terminal.width = std::max(terminal.width, narrowest);
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

  make_folder(out);
  draw::render(sheet).save(out.picture("attention"));
  fmt::print("pictures  {}\n", out.picture("attention").string());
  if (model.positions.table.defined()) {
    draw::render(draw::positions(model.positions.table)).save(out.picture("positions"));
    fmt::print("          {}\n", out.picture("positions").string());
  }
  if (const std::string note = draw::font_note(); !note.empty()) fmt::print("{}\n", note);
  return 0;
}

}  // namespace

Command add_show(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_folder(app, options->folder);
  app.add_option("--input", options->input, "what to look at (an unseen sequence)")
      ->type_name("TEXT");
  app.add_option("--out", options->out, "where the pictures go (the run's folder)")
      ->type_name("FOLDER");
  add_count(app, "--layer", options->layer, "one layer only, counted from 1");
  add_count(app, "--head", options->head, "one head only, counted from 1");
  return [options] { return show(*options); };
}

}  // namespace attention::cli
