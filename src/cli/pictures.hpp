// What a run looks like: the loss curve, and where its heads look for one input.
#pragma once

#include <string>
#include <vector>

#include "attention/draw/curve.hpp"
#include "attention/draw/heatmap.hpp"
#include "attention/draw/sheet.hpp"
#include "attention/nn/transformer.hpp"
#include "attention/tasks/task.hpp"

namespace attention::cli {

draw::AttentionSheet attention_sheet(const Transformer& model, const Alphabet& alphabet,
                                     const std::vector<int>& ids, const std::string& title);

// From what is in log.jsonl.
draw::Curve loss_curve(const std::string& log, const std::vector<Expectation>& expected,
                       const std::string& title);

}  // namespace attention::cli
