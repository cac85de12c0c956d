#include "pictures.hpp"

#include <sstream>

#include "attention/nn/heads.hpp"
#include "attention/tensor/ops.hpp"
#include "run_json.hpp"

namespace attention::cli {

draw::AttentionSheet attention_sheet(const Transformer& model, const Alphabet& alphabet,
                                     const std::vector<int>& ids, const std::string& title) {
  std::vector<std::string> tokens;
  for (int id : ids) tokens.push_back(alphabet.symbol(id));
  Tensors layers;
  for (const Tensor& map : attention_maps(model, Tokens({1, static_cast<Size>(ids.size())}, ids)))
    layers.push_back(reshape(map, {map.size(1), map.size(2), map.size(3)}));
  return {.layers = layers, .queries = tokens, .keys = tokens, .title = title};
}

draw::Curve loss_curve(const std::string& log, const std::vector<Expectation>& expected,
                       const std::string& title) {
  draw::Series training{.name = "training"}, unseen{.name = "unseen"};
  std::istringstream lines(log);
  for (std::string text; std::getline(lines, text);) {
    const Json line = Json::parse(text);
    const double step = line.at("step");
    if (line.contains("loss")) training.points.push_back({step, line.at("loss")});
    if (line.contains("eval")) unseen.points.push_back({step, line.at("eval").at("loss")});
  }
  draw::Curve curve{.series = {training, unseen}, .title = title, .y_name = "loss (nats a token)"};
  for (const Expectation& level : expected)
    if (level.value > 0) curve.levels.push_back({level.name, level.value});
  return curve;
}

}  // namespace attention::cli
