// SPDX-License-Identifier: Apache-2.0
// Answers the callback of a state migration, by a rule of the scenario:
//
//     {rename: {a: b}}             a is called b, which succeeds it
//     {retype: {a: pkg:m:S}}       and is of another type
//     {copy: {a: c}}               c stands for the same thing beside a
//     {fold: {b: a}}               b is not returned, and a succeeds it
//     {edit: {b: {protect: true}}} changes fields of the returned state, by its new name
//     {last: [a]}                  returns a behind all others
//     {echo: true}                 returns all states unchanged
//     {answer: TEXT}               returns this text instead
//
// Resources are named by the last part of their URNs. A rule that changes nothing makes the callback return nothing.
#pragma once

#include "kingpost/callbacks.h"
#include "scenarios/values.h"

namespace kingpost::scenarios {

StateMigrationResponse AnswerMigration(const Json& rule, const StateMigrationRequest& request);

// The names of the resources that a request holds, in order.
Json NamesIn(const StateMigrationRequest& request);

}  // namespace kingpost::scenarios
