// One call of attention train: the loop around the training steps, with what is printed and kept on
// the way.
#pragma once

#include "trainer.hpp"

namespace attention::cli {

class Session {
 public:
  Session(const Folder& folder, const Run& run, const Task& task, bool json);

  void watch();  // for the first NaN or infinity; no number depends on it
  void go_on();  // from where a stopped run in the folder was
  // Returns the exit code: 0, or when a signal has stopped it, what shells report then: 130 for
  // Ctrl-C. The folder has to be claimed, and free unless it goes on.
  int train();

 private:
  int run();
  std::string resume_command() const;
  void introduce() const;
  bool loop();  // whether it came to its end
  double look();
  Judgement judge(int samples);  // and notes it in the log
  void save() const;
  // Whether such a model may be saved: throws Diverged if not, or when tolerant leaves it to the
  // next step to say more.
  bool check_unseen(double loss, bool tolerant = false) const;
  int stopped() const;
  void finish();
  std::vector<std::string> draw_pictures(const Judgement& judgement) const;  // their files

  Folder folder_;
  bool json_;
  Trainer trainer_;
  double loss_ = 0, seconds_ = 0;  // of the last step; of all steps taken here
  Size steps_ = 0;                 // taken here
};

}  // namespace attention::cli
