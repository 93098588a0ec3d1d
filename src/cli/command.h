#pragma once
// The sub-commands. Each declares its options on the application, and a callback that runs after parsing.

namespace CLI {  // NOLINT(readability-identifier-naming): of the library
class App;
}

namespace cameo::cli {

enum ExitCode { kFine = 0, kInputAtFault = 1, kWrongUsage = 2, kOurBug = 3 };

void add_check(CLI::App& app);
void add_diff(CLI::App& app);
void add_export(CLI::App& app);
void add_extract(CLI::App& app);
void add_infer(CLI::App& app);
void add_inspect(CLI::App& app);
void add_io(CLI::App& app);
void add_ops(CLI::App& app);
void add_print(CLI::App& app);
void add_probe(CLI::App& app);
void add_run(CLI::App& app);
void add_simplify(CLI::App& app);
void add_stats(CLI::App& app);
void add_verify(CLI::App& app);

}  // namespace cameo::cli
