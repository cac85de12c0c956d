// How the tests of the exercises say what they expect of a check.
#pragma once

#include <catch2/catch.hpp>

#include "exercises/exercise.hpp"

namespace exercise {

inline void passes(const Diagnosis& diagnosis) {
  INFO(diagnosis.text.en);
  CHECK(diagnosis.state == State::right);
}

inline void is_to_do(const Diagnosis& diagnosis) { CHECK(diagnosis.state == State::todo); }

// That it is wrong, and that this is what the learner is told: a part of the text, in both
// languages.
inline void is_told(const Diagnosis& diagnosis, const std::string& zh, const std::string& en) {
  CHECK(diagnosis.state == State::wrong);
  CHECK_THAT(diagnosis.text.zh, Catch::Contains(zh));
  CHECK_THAT(diagnosis.text.en, Catch::Contains(en));
}

}  // namespace exercise
