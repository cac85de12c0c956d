// How OpenMP's threads wait for one another: by spinning, GNU's for a millisecond or more, which on
// a machine with other things to do keeps each from the processor that the other needs. A thirtieth
// of that costs nothing on an idle machine. It is read from the environment before main() begins.
#pragma once

namespace attention::cli {

// Sets it, unless it is set, and begins the program anew. To be called first thing in main().
void wait_briefly(char** arguments);

}  // namespace attention::cli
