#include "model.hpp"

#include "attention/core/error.hpp"

namespace attention::cli {

std::unique_ptr<Model> make_model(const Run& run) {
  return run.settings.encoder_decoder ? make_encoder_decoder(run) : make_transformer(run);
}

std::unique_ptr<Model> load_model(const Folder& folder, const Run& run) {
  try {
    const Checkpoint saved = load_checkpoint(folder.model(), run);  // first: the model may be large
    std::unique_ptr<Model> model = make_model(run);
    load_tensors(model->weights(), saved, folder.model().string());
    return model;
  } catch (const Error& error) {
    const std::string what = error.what();
    const std::string file = folder.model().string();  // whose errors name it themselves
    fail("{}{}", what.find(file) == what.npos ? folder.run().string() + ": " : "", what);
  }
}

std::string report(const Model& model, const Task& task, const Judgement& judgement) {
  std::string text = judgement.text;
  if (const auto all = model.judge_all(task))
    text += fmt::format("                {:.2f} % of all {} sequences there are\n",
                        100 * all->exact_match, all->sequences);
  return text + model.example();
}

}  // namespace attention::cli
