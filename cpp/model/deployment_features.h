// SPDX-License-Identifier: Apache-2.0
// The features that a deployment of version 4 may name (row 7.2). A program that does not know one must not touch the
// state.
#pragma once

#include <array>
#include <string_view>

namespace kingpost::features {

inline constexpr std::string_view kByteString = "byteString";
inline constexpr std::string_view kExtensions = "extensionParameterization";
inline constexpr std::string_view kHooks = "hooks";
inline constexpr std::string_view kRefreshBeforeUpdate = "refreshBeforeUpdate";
inline constexpr std::string_view kReplaceWith = "replaceWith";
inline constexpr std::string_view kSnippets = "snippets-prototype";
inline constexpr std::string_view kTaint = "taint";
inline constexpr std::string_view kViews = "views";

inline constexpr std::array<std::string_view, 8> kAll = {kByteString,  kExtensions, kHooks, kRefreshBeforeUpdate,
                                                         kReplaceWith, kSnippets,   kTaint, kViews};

}  // namespace kingpost::features
