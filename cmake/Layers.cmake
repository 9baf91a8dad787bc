# SPDX-License-Identifier: Apache-2.0
# kp_layer(<folder> [COLD] DEPS <targets>...): the library kp_<folder> of all sources below cpp/<folder>.
# Globbed, so that adding a file is adding a file. A folder with no source yet is headers only. COLD is what a
# deployment spends no time in: less optimisation spares a fifth of the time to compile it.
function(kp_layer folder)
  cmake_parse_arguments(arg "COLD" "" "DEPS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cpp/${folder}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")

  if(sources)
    kp_batches(sources kp_${folder} ${CMAKE_CURRENT_SOURCE_DIR}/cpp ${sources})
    add_library(kp_${folder} STATIC ${sources})
    set(scope PUBLIC)
    target_compile_options(kp_${folder} PRIVATE -Wall -Wextra $<$<BOOL:${arg_COLD}>:-O1>)
    target_compile_definitions(kp_${folder} PRIVATE KINGPOST_VERSION="${PROJECT_VERSION}")
  else()
    add_library(kp_${folder} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(kp_${folder} ${scope}
    ${CMAKE_CURRENT_SOURCE_DIR}/cpp ${CMAKE_CURRENT_SOURCE_DIR}/cpp/include)
  target_link_libraries(kp_${folder} ${scope} ${arg_DEPS})
endfunction()
