// What the commands need of a model, whichever kind it is: a single stack, which answers position
// by position or continues a text (transformer_model.cpp), or an encoder-decoder, which answers
// with a sequence of its own length (encoder_decoder_model.cpp).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "attention/draw/sheet.hpp"
#include "attention/nn/generate.hpp"
#include "evaluate.hpp"
#include "run_folder.hpp"

namespace attention::cli {

// So many training sequences, taken in so many parts, one after the other: less memory.
struct BatchSize {
  int sequences, parts = 1;
};

// Of a training batch: the mean over what is scored, and how many tokens there were.
struct BatchLoss {
  double mean = 0;
  Size tokens = 0;
};

// How a model does on unseen sequences, for programs and for people.
struct Judgement {
  double loss = 0;                  // nats a scored token
  std::vector<Expectation> levels;  // of the loss, to set beside it
  Json json;                        // at least what to_json() of Scores gives
  std::string text;
};

struct Request {
  std::string prompt;
  int length = 200;             // tokens to add, for a model that continues a text
  GenerateOptions choice = {};  // among them, likewise
  int beam = 0;                 // for an encoder-decoder: hypotheses to keep; 0 is greedy
};

struct Response {
  std::string prompt, text;  // text: the answer, or the prompt and what follows
  Size tokens = 0;           // how many the model has made
  Json hypotheses = {};  // of a beam: [{text, log_probability, score, finished}, …], best first
};

// Attention weights of all layers, and the name of the picture.
struct Maps {
  std::string name;
  draw::AttentionSheet sheet;
};

// Calls part(begin, end) for each part of the sequences; they differ in size by at most one.
template <class F>
void each_part(BatchSize size, F part) {
  const auto cut = [&](int i) { return static_cast<Size>(i) * size.sequences / size.parts; };
  for (int i = 0; i < size.parts; ++i) part(cut(i), cut(i + 1));
}

class Model {
 public:
  virtual ~Model() = default;

  virtual NamedTensors weights() const = 0;
  virtual Size parameter_count() const = 0;

  // On training sequences of the run's task; they are drawn with `random`, as is dropout. `use`
  // gets the loss of each part with its graph, divided by what is scored in the whole batch: the
  // parts' gradients add up to the batch's.
  virtual BatchLoss loss(const Task& task, BatchSize size, Random& random,
                         const std::function<void(const Tensor& part)>& use) const = 0;
  virtual Judgement judge(const Task& task, int samples) const = 0;  // on so many unseen ones
  // On every sequence there is, where they are few enough; else nothing.
  virtual std::optional<Scores> judge_all(const Task& task) const = 0;

  // Throws when the prompt has symbols that the model does not know, or is not as long as it needs.
  virtual Response respond(const Request& request, Random& random) const = 0;
  virtual std::string example() const = 0;  // what it says to the run's sample: lines for people

  // Where it looks while it reads `input`, and answers; throws on what it cannot read.
  virtual std::vector<Maps> maps(const std::string& input) const = 0;
  virtual Tensor positions() const = 0;  // the table that is added, or an undefined tensor
};

std::unique_ptr<Model> make_model(const Run& run);  // with the weights that its seed gives
std::unique_ptr<Model> load_model(const Folder& folder, const Run& run);

// The two kinds that there are.
std::unique_ptr<Model> make_transformer(const Run& run);
std::unique_ptr<Model> make_encoder_decoder(const Run& run);

// What people are told of a trained model: how it does on unseen sequences, and on every one there
// is where they are few enough; and an example of what it says.
std::string report(const Model& model, const Task& task, const Judgement& judgement);

}  // namespace attention::cli
