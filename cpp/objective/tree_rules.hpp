/// What the arrays of a tree must obey, in words where they do not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "objective/routing.hpp"

namespace ostrya {

/// What the nodes of a tree hold besides its questions.
struct NodeContents {
    const std::int32_t* label = nullptr;
    const double* value = nullptr;  // n_nodes x n_classes
    const std::int64_t* n_samples = nullptr;
    std::size_t n_nodes = 0;
    std::size_t n_classes = 0;
};

/// The first rule that the questions of a tree break; nothing: they are sound.
std::optional<std::string> broken_rule(const TreeArrays& tree, std::int64_t n_features);

/// The same of what its nodes hold.
std::optional<std::string> broken_rule(const NodeContents& contents);

}  // namespace ostrya
