#pragma once

#include "kbuild/diag/sink.hpp"
#include "kbuild/inspect/device_code.hpp"
#include "kbuild/model/budget.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace kbuild::inspect {

/// Reports what exceeds the budgets as errors, with the kernel's name, its architecture, the figure
/// and the bound: K0730 size of the file, K0731 VGPRs, K0732 LDS, K0733 scratch, K0734 spills.
/// A pattern is matched against the mangled and the readable name and the readable name's part
/// before its parameters. Of several budgets for a kernel a pattern's bound takes the place of that
/// for all kernels, a later pattern's that of an earlier one. `shown` names the file.
void check_budgets(const DeviceCode& code,
                   std::uint64_t bytes,
                   const std::vector<model::Budget>& budgets,
                   const std::string& shown,
                   diag::Sink& sink);

} // namespace kbuild::inspect
