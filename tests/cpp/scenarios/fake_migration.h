// SPDX-License-Identifier: Apache-2.0
// What a callback of a state migration answers, by a rule of the scenario:
//
//   {rename: {a: b}}             a is called b, which succeeds it
//   {retype: {a: pkg:m:S}}       and is of another type
//   {copy: {a: c}}               c stands for the same thing beside a
//   {fold: {b: a}}               b is not returned, and a succeeds it
//   {edit: {b: {protect: true}}} fields of what is returned, by its new name
//   {last: [a]}                  returned behind all others
//   {echo: true}                 all as it was given
//   {answer: TEXT}               instead of all that
//
// Resources are named by the last part of their URNs. Where nothing is to be done, nothing is returned.
#pragma once

#include "kingpost/callbacks.h"
#include "scenarios/values.h"

namespace kingpost::scenarios {

StateMigrationResponse AnswerMigration(const Json& rule, const StateMigrationRequest& request);

// The names of the resources that a request holds, in order.
Json NamesIn(const StateMigrationRequest& request);

}  // namespace kingpost::scenarios
