// attention show: where each head looks for one input, in the terminal and as pictures.
#include <utility>

#include "attention/core/error.hpp"
#include "attention/draw/font.hpp"
#include "attention/draw/terminal.hpp"
#include "attention/tensor/ops.hpp"
#include "commands.hpp"
#include "model.hpp"

namespace attention::cli {
namespace {

constexpr int most_maps = 8;   // printed unless a layer or head is chosen
constexpr int narrowest = 40;  // columns

struct ShowArguments {
  std::string folder, input, out;
  int layer = 0, head = 0;  // from 1; 0 for all
};

void check_choice(const char* what, int chosen, int count) {
  if (chosen > count) fail("{} {}; the model has {}", what, chosen, count);
}

// One map in the terminal. The title says whose it is, where there is more than one kind.
void print_map(const Maps& maps, bool one_kind, int layer, int head,
               const draw::Terminal& terminal) {
  const Tensor map = slice(maps.sheet.layers[layer - 1], 0, head - 1, head);  // (1, T, S)
  fmt::print("{}\n",
             draw::to_text({.values = reshape(map, {map.size(1), map.size(2)}),
                            .rows = maps.sheet.queries,
                            .columns = maps.sheet.keys,
                            .title = fmt::format("{}layer {} head {}",
                                                 one_kind ? "" : maps.name + " ", layer, head)},
                           terminal));
}

void print_maps(const std::vector<Maps>& all, const Settings& settings,
                const ShowArguments& options) {
  draw::Terminal terminal = draw::terminal();
  terminal.width = std::max(terminal.width, narrowest);
  int printed = 0, left_out = 0;
  for (const Maps& maps : all)
    for (int layer = 1; layer <= settings.layers; ++layer)
      for (int head = 1; head <= settings.heads; ++head) {
        if (options.layer > 0 && layer != options.layer) continue;
        if (options.head > 0 && head != options.head) continue;
        if (printed == most_maps && options.layer == 0 && options.head == 0) {
          ++left_out;
          continue;
        }
        print_map(maps, all.size() == 1, layer, head, terminal);
        ++printed;
      }
  if (left_out > 0)
    fmt::print("{} more maps: --layer L and --head H choose some, the picture{} has all\n",
               left_out, all.size() == 1 ? "" : "s");
}

int show(const ShowArguments& options) {
  const Folder folder{options.folder};
  const Folder out{options.out.empty() ? options.folder : options.out};
  const Run run = load_run(folder);
  const auto model = load_model(folder, run);
  const std::vector<Maps> all = model->maps(options.input.empty() ? run.sample : options.input);
  check_choice("layer", options.layer, run.settings.layers);
  check_choice("head", options.head, run.settings.heads);
  print_maps(all, run.settings, options);

  make_folder(out);
  const char* before = "pictures";
  const auto save = [&](const draw::Canvas& picture, const std::string& name) {
    picture.save(out.picture(name));
    fmt::print("{:10}{}\n", std::exchange(before, ""), out.picture(name).string());
  };
  for (const Maps& maps : all) save(draw::render(maps.sheet), maps.name);
  if (const Tensor table = model->positions(); table.defined())
    save(draw::render(draw::positions(table)), "positions");
  if (const std::string note = draw::font_note(); !note.empty()) fmt::print("{}\n", note);
  return 0;
}

}  // namespace

Command add_show(CLI::App& app) {
  auto options = std::make_shared<ShowArguments>();
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
