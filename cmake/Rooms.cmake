# SPDX-License-Identifier: Apache-2.0
# The rooms of cpp/ in the order of the data, and what each includes of the others: exactly that, which
# tests/cpp/layering/includes_test.cc compares with the files. The libraries link by the same table (cmake/Layers.cmake).
#
#   kp_room(<folder> [IN <library>] [MAY_INCLUDE <rooms>...])
#
# A room sees only rooms above it in this file, so that no two can come to need each other. IN names the folder in whose
# library the room is; without it the room is a library of its own.
set(KINGPOST_ROOMS)
set(KINGPOST_LIBRARIES)  # the folders that have one

function(kp_room folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "IN" "MAY_INCLUDE")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "kp_room(${folder}): ${arg_UNPARSED_ARGUMENTS} is no keyword of it")
  endif()
  foreach(seen IN LISTS arg_MAY_INCLUDE)
    if(NOT seen IN_LIST KINGPOST_ROOMS)
      message(FATAL_ERROR "kp_room(${folder}): ${seen} does not stand above it in cmake/Rooms.cmake")
    endif()
  endforeach()
  if(NOT arg_IN)
    set(arg_IN ${folder})
  endif()
  set(KINGPOST_ROOMS ${KINGPOST_ROOMS} ${folder} PARENT_SCOPE)
  set(KINGPOST_LIBRARY_OF_${folder} ${arg_IN} PARENT_SCOPE)
  list(APPEND KINGPOST_LIBRARIES ${arg_IN})
  list(REMOVE_DUPLICATES KINGPOST_LIBRARIES)
  set(KINGPOST_LIBRARIES ${KINGPOST_LIBRARIES} PARENT_SCOPE)
  set(KINGPOST_SEEN_BY_${folder} ${arg_MAY_INCLUDE} PARENT_SCOPE)
endfunction()

# --- the ground: no knowledge of deployments
kp_room(base)
kp_room(base/disk MAY_INCLUDE base)

# --- what a deployment is about, and the seams to everything outside of the engine
kp_room(model MAY_INCLUDE base)
kp_room(include/kingpost MAY_INCLUDE base model)

# --- the engine: it decides, does and remembers
kp_room(update_plan MAY_INCLUDE base model include/kingpost)
kp_room(decisions MAY_INCLUDE base model include/kingpost)
kp_room(journal MAY_INCLUDE base base/disk model include/kingpost decisions)
kp_room(engine/providers MAY_INCLUDE base model include/kingpost decisions)
kp_room(engine MAY_INCLUDE base model include/kingpost update_plan decisions journal engine/providers)

# --- where states are kept
kp_room(remote/http MAY_INCLUDE base)
kp_room(remote/blob MAY_INCLUDE base)
kp_room(remote/cloud MAY_INCLUDE base remote/http remote/blob)
kp_room(assets MAY_INCLUDE base model remote/http)
kp_room(secrets MAY_INCLUDE base include/kingpost remote/cloud)
kp_room(store MAY_INCLUDE base base/disk include/kingpost remote/blob remote/cloud)
kp_room(workspace MAY_INCLUDE base base/disk model include/kingpost)

# --- languages: programs that need no process, and sources that are written
kp_room(languages/schema MAY_INCLUDE base model)
kp_room(languages/pcl MAY_INCLUDE base model include/kingpost languages/schema)
kp_room(languages/codegen MAY_INCLUDE base model languages/schema languages/pcl workspace)
kp_room(languages/sdkgen MAY_INCLUDE base languages/schema languages/codegen)
kp_room(languages/snippets MAY_INCLUDE base include/kingpost languages/schema languages/pcl)
kp_room(languages/yaml MAY_INCLUDE base model include/kingpost languages/schema languages/pcl languages/codegen assets
  workspace)

# --- programs and plugins: processes, what they are written in, where they come from, how one talks to them
kp_room(processes MAY_INCLUDE base)
kp_room(runtimes MAY_INCLUDE base base/disk include/kingpost workspace processes)
kp_room(plugins MAY_INCLUDE base base/disk model include/kingpost remote/http assets workspace processes runtimes)
kp_room(wire MAY_INCLUDE base model include/kingpost assets workspace languages/schema processes runtimes plugins)

# --- an operation around the engine
kp_room(operation MAY_INCLUDE base model include/kingpost decisions languages/snippets remote/cloud secrets store workspace
  journal)
kp_room(operation/fleet IN operation MAY_INCLUDE base model include/kingpost decisions workspace processes operation)

# --- the person: what is shown and asked, and then the command, the root of which is what everything else serves
kp_room(console/display IN console MAY_INCLUDE base base/disk model include/kingpost decisions workspace)
kp_room(console/prompt IN console MAY_INCLUDE base console/display)
kp_room(console/graph IN console MAY_INCLUDE base model include/kingpost update_plan console/display)
kp_room(console/log IN console MAY_INCLUDE base base/disk model include/kingpost console/display)
kp_room(console/fleet IN console MAY_INCLUDE model include/kingpost console/display)
kp_room(cli/session IN cli MAY_INCLUDE base base/disk model include/kingpost store workspace operation processes plugins
  console/display console/prompt)
kp_room(cli/metadata IN cli MAY_INCLUDE base base/disk model workspace processes runtimes plugins cli/session)
kp_room(cli/timings IN cli MAY_INCLUDE base model include/kingpost journal remote/http console/display console/graph
  cli/session)
kp_room(cli/packages IN cli MAY_INCLUDE base base/disk model include/kingpost remote/http workspace languages/schema languages/sdkgen
  languages/yaml processes runtimes plugins wire console/display cli/session)
kp_room(cli/templates IN cli MAY_INCLUDE base remote/http assets workspace processes plugins console/prompt cli/session
  cli/packages)
kp_room(cli/convert IN cli MAY_INCLUDE base base/disk model include/kingpost workspace languages/schema languages/pcl
  languages/codegen languages/yaml plugins cli/session cli/packages cli/templates)
kp_room(cli/operations IN cli MAY_INCLUDE base model include/kingpost engine workspace languages/codegen
  operation processes runtimes wire console/display console/prompt console/log cli/session cli/metadata cli/timings cli/packages
  cli/convert)
kp_room(cli/fleet IN cli MAY_INCLUDE base include/kingpost workspace operation operation/fleet processes runtimes
  console/display console/prompt console/fleet cli/session cli/metadata cli/packages cli/operations)
kp_room(cli/watch IN cli MAY_INCLUDE base model include/kingpost workspace operation processes runtimes plugins wire
  console/display console/prompt cli/session cli/packages cli/operations)
kp_room(cli/logs IN cli MAY_INCLUDE base)
kp_room(cli/completion IN cli MAY_INCLUDE base model cli/session cli/templates)
kp_room(cli/commands IN cli MAY_INCLUDE base base/disk model decisions journal remote/blob store workspace operation
  operation/fleet runtimes
  plugins console/display console/graph cli/session cli/metadata cli/packages cli/templates cli/convert cli/operations
  cli/fleet cli/watch cli/logs cli/completion)
kp_room(cli MAY_INCLUDE base plugins wire console/display console/log cli/session cli/timings cli/completion cli/commands)
