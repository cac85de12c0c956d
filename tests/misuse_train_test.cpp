// What optimizers, schedules and checkpoints refuse.
#include <climits>

#include "attention/train/checkpoint.hpp"
#include "attention/train/optimizer.hpp"
#include "attention/train/schedule.hpp"
#include "folder.hpp"
#include "misuse.hpp"

using namespace attention;

namespace {

NamedTensors one() { return {{"w", leaf(ones({2}))}}; }
NamedTensors one_with_gradient() {
  NamedTensors list = one();
  list[0].tensor.set_grad(ones({2}));
  return list;
}
NamedTensors two_of_a_name() { return {{"w", leaf(ones({2}))}, {"w", leaf(ones({2}))}}; }
NamedTensors undefined_one() { return {{"w", Tensor()}}; }
NamedTensors made_one() { return {{"w", exp(leaf(ones({2})))}}; }

void rate_at(Schedule schedule, Size step = 1) { schedule(step); }

void save(const NamedTensors& tensors, const Metadata& metadata = {}) {
  const Folder folder;
  save_checkpoint(folder.path / "model", tensors, metadata);
}
void load(const NamedTensors& into, NamedTensors from) {
  load_tensors(into, {std::move(from), {}}, "run");
}

}  // namespace

TEST_CASE("misuse: optimizers") {
  refuse({
      {"Sgd::Sgd", "no parameters", [] { Sgd({}); }, "sgd: there are no parameters to step"},
      {"Sgd::Sgd", "an undefined parameter", [] { Sgd{undefined_one()}; },
       "sgd: w is undefined: it was never given a value"},
      {"Sgd::Sgd", "two of one name", [] { Sgd{two_of_a_name()}; },
       "sgd: two tensors are called w"},
      {"Sgd::Sgd", "what an op made", [] { Sgd{made_one()}; },
       "sgd: w was made by exp; only leaves can be stepped"},
      {"Sgd::Sgd", "momentum of 1", [] { Sgd(one(), 1); },
       "sgd: momentum is 1; it has to be at least 0 and less than 1"},
      {"Sgd::Sgd", "momentum of NaN", [] { Sgd(one(), not_a_number); },
       "sgd: momentum is nan; it has to be at least 0 and less than 1"},
      {"Sgd::step", "no gradient", [] { Sgd(one()).step(1); },
       "sgd: w has no gradient; call backward() on a loss that depends on it, or leave it out"},
      {"Sgd::step", "a negative rate", [] { Sgd(one_with_gradient()).step(-1); },
       "sgd: a learning rate of -1; a finite number is needed, at least 0"},
      {"Sgd::step", "a rate of NaN", [] { Sgd(one_with_gradient()).step(not_a_number); },
       "sgd: a learning rate of nan; a finite number is needed, at least 0"},
      {"Adam::Adam", "no parameters", [] { Adam({}); }, "adam: there are no parameters to step"},
      {"Adam::Adam", "what an op made", [] { Adam{made_one()}; },
       "adam: w was made by exp; only leaves can be stepped"},
      {"Adam::Adam", "beta1 of -0.5", [] { Adam(one(), {.beta1 = -0.5}); },
       "adam: beta1 is -0.5; it has to be at least 0 and less than 1"},
      {"Adam::Adam", "beta2 of 1", [] { Adam(one(), {.beta2 = 1}); },
       "adam: beta2 is 1; it has to be at least 0 and less than 1"},
      {"Adam::Adam", "beta2 of NaN", [] { Adam(one(), {.beta2 = not_a_number}); },
       "adam: beta2 is nan; it has to be at least 0 and less than 1"},
      {"Adam::Adam", "eps of 0", [] { Adam(one(), {.eps = 0}); },
       "adam: eps is 0; a small positive number is needed, such as 1e-8"},
      {"Adam::Adam", "an infinite eps", [] { Adam(one(), {.eps = infinity}); },
       "adam: eps is inf; a small positive number is needed, such as 1e-8"},
      {"Adam::Adam", "a negative decay", [] { Adam(one(), {.decay = -1}); },
       "adam: a weight decay of -1; a finite number is needed, at least 0"},
      {"Adam::Adam", "a decay of NaN", [] { Adam(one(), {.decay = not_a_number}); },
       "adam: a weight decay of nan; a finite number is needed, at least 0"},
      {"Adam::step", "no gradient", [] { Adam(one()).step(1); },
       "adam: w has no gradient; call backward() on a loss that depends on it, or leave it out"},
      {"Adam::step", "an infinite rate", [] { Adam(one_with_gradient()).step(infinity); },
       "adam: a learning rate of inf; a finite number is needed, at least 0"},
      {"Adam::step", "another state loaded",
       [] {
         Adam adam(one_with_gradient());
         *adam.state().back().tensor.edit() = -1;
         adam.step(1);
       },
       "adam: -1 steps have been taken; was another state loaded?"},
  });
}

TEST_CASE("misuse: gradients of parameters") {
  refuse({
      {"clear_gradients", "an undefined parameter", [] { clear_gradients(undefined_one()); },
       "clear_gradients: w is undefined: it was never given a value"},
      {"clip_gradients", "an undefined parameter", [] { clip_gradients(undefined_one(), 1); },
       "clip_gradients: w is undefined: it was never given a value"},
      {"clip_gradients", "two of one name", [] { clip_gradients(two_of_a_name(), 1); },
       "clip_gradients: two tensors are called w"},
      {"clip_gradients", "what an op made", [] { clip_gradients(made_one(), 1); },
       "grad: this tensor was made by exp; only leaves keep a gradient; gradients() returns it"},
      {"clip_gradients", "a negative limit", [] { clip_gradients(one(), -1); },
       "clip_gradients: a limit of -1; it cannot be negative"},
      {"clip_gradients", "a limit of NaN", [] { clip_gradients(one(), not_a_number); },
       "clip_gradients: a limit of nan; it cannot be negative"},
  });
}

TEST_CASE("misuse: schedules") {
  using enum ScheduleKind;
  refuse({
      {"Schedule::operator()", "before the first step", [] { rate_at({}, 0); },
       "schedule: step 0; steps count from 1"},
      {"Schedule::operator()", "far before it", [] { rate_at({}, PTRDIFF_MIN); },
       "schedule: step -9223372036854775808; steps count from 1"},
      {"Schedule::operator()", "a negative rate", [] { rate_at({.rate = -1}); },
       "schedule: a rate of -1; a finite number is needed, at least 0"},
      {"Schedule::operator()", "a rate of NaN", [] { rate_at({.rate = not_a_number}); },
       "schedule: a rate of nan; a finite number is needed, at least 0"},
      {"Schedule::operator()", "a negative warm-up", [] { rate_at({.warmup = -1}); },
       "schedule: a warm-up of -1 steps; 0 is none"},
      {"Schedule::operator()", "cosine of no steps", [] { rate_at({.kind = cosine}); },
       "schedule: cosine has to know the number of all steps, and steps is 0"},
      {"Schedule::operator()", "cosine of -5 steps", [] { rate_at({.kind = cosine, .steps = -5}); },
       "schedule: cosine has to know the number of all steps, and steps is -5"},
      {"Schedule::operator()", "a warm-up beyond the end",
       [] { rate_at({.kind = cosine, .warmup = 9, .steps = 5}); },
       "schedule: a warm-up of 9 steps in a cosine of 5, warm-up included"},
      {"Schedule::operator()", "a final share of NaN",
       [] { rate_at({.kind = cosine, .steps = 5, .final = not_a_number}); },
       "schedule: final = nan; it is a share of the rate, 0 to 1"},
      {"Schedule::operator()", "a final share of 2",
       [] { rate_at({.kind = cosine, .steps = 5, .final = 2}); },
       "schedule: final = 2; it is a share of the rate, 0 to 1"},
      {"Schedule::operator()", "noam of no channels", [] { rate_at({.kind = noam}); },
       "schedule: noam has to know d_model, and channels is 0"},
      {"Schedule::operator()", "a kind that is none", [] { rate_at({.kind = ScheduleKind(3)}); },
       "schedule: number 3 is no kind; constant, cosine, noam are possible"},
      {"schedule_kind", "a name that is none", [] { schedule_kind("linear"); },
       "schedule: there is no kind linear; constant, cosine, noam are possible"},
      {"to_string", "a schedule that is none", [] { to_string(ScheduleKind(-1)); },
       "schedule: number -1 is no kind; constant, cosine, noam are possible"},
  });
}

TEST_CASE("misuse: checkpoints") {
  refuse({
      {"save_checkpoint", "two of one name", [] { save(two_of_a_name()); },
       "checkpoint: two tensors are called w"},
      {"checkpoint_bytes", "two of one name", [] { checkpoint_bytes(two_of_a_name()); },
       "checkpoint: two tensors are called w"},
      {"parse_checkpoint", "nothing", [] { parse_checkpoint("", "it"); },
       "checkpoint: it: the file is empty"},
      {"save_checkpoint", "undefined", [] { save(undefined_one()); },
       "checkpoint: w is undefined: it was never given a value"},
      {"save_checkpoint", "the name of the metadata",
       [] {
         save({{"__metadata__", ones({1})}});
       },
       "checkpoint: no tensor can be called __metadata__"},
      {"save_checkpoint", "a name that is not UTF-8",
       [] {
         save({{"\xff", ones({1})}});
       },
       "checkpoint: a tensor's name or the metadata is not UTF-8"},
      {"save_checkpoint", "metadata that is not UTF-8",
       [] {
         save(one(), {{"task", "\xff"}});
       },
       "checkpoint: a tensor's name or the metadata is not UTF-8"},
      {"save_checkpoint", "into no folder", [] { save_checkpoint("/no/such/file", one()); },
       "write_file: /no/such/file: there is no folder /no/such; create it first"},
      {"read_checkpoint", "one that is not there", [] { read_checkpoint("/no/such/file"); },
       "read_file: /no/such/file: No such file or directory"},
      {"load_tensors", "undefined", [] { load(undefined_one(), one()); },
       "load_tensors: w is undefined: it was never given a value"},
      {"load_tensors", "undefined in the checkpoint", [] { load(one(), undefined_one()); },
       "checkpoint: run: w is undefined: it was never given a value"},
      {"load_tensors", "a name twice in the checkpoint", [] { load(one(), two_of_a_name()); },
       "checkpoint: run: two tensors are called w"},
      {"load_tensors", "what an op made", [] { load(made_one(), one()); },
       "load_tensors: w was made by exp; only leaves can be changed"},
      {"load_tensors", "another name",
       [] {
         load(one(), {{"v", ones({2})}});
       },
       "checkpoint: run does not fit; was it saved with other options?\n  missing: w\n  "
       "unexpected: v"},
      {"load_tensors", "another shape",
       [] {
         load(one(), {{"w", ones({1, 2})}});
       },
       "checkpoint: run does not fit; was it saved with other options?\n  of another shape: w is "
       "(1, 2) there, (2,) here"},
      {"load_tensors", "nothing", [] { load(one(), {}); },
       "checkpoint: run does not fit; was it saved with other options?\n  missing: w"},
  });
}
