# SPDX-License-Identifier: Apache-2.0
# _kingpost: the extension module behind the Python package. It links the shared gRPC and protobuf:
# the process may hold grpcio too, and the static protobuf is not position-independent.
find_package(Python COMPONENTS Interpreter Development.Module REQUIRED)
if(NOT pybind11_DIR)
  # (`-m pybind11 --cmakedir` would put quotes around a path with blanks.)
  execute_process(COMMAND ${Python_EXECUTABLE} -c "import pybind11; print(pybind11.get_cmake_dir())"
    OUTPUT_VARIABLE pybind11_DIR OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endif()
find_package(pybind11 3 CONFIG REQUIRED)

file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/python/bindings/*.cc)
kp_batches(sources _kingpost ${CMAKE_CURRENT_SOURCE_DIR}/python ${sources})

function(kp_extension target)
  target_compile_options(${target} PRIVATE -Wall -Wextra)
  target_compile_definitions(${target} PRIVATE KINGPOST_VERSION="${PROJECT_VERSION}")
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/python)
  target_link_libraries(${target} PRIVATE kp_engine kp_wire kp_operation kp_yaml)
endfunction()

pybind11_add_module(_kingpost MODULE NO_EXTRAS ${sources})
kp_extension(_kingpost)
set_target_properties(_kingpost PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/python/kingpost)
install(TARGETS _kingpost LIBRARY DESTINATION kingpost)

# The same for other interpreters, by their paths, in python-others: of all that is linked, only the bindings see Python's
# headers, so that the rest is compiled once. (FindPython knows one interpreter; the others are asked.)
set(KINGPOST_OTHER_PYTHONS "" CACHE STRING "Interpreters for which the target kingpost_extensions builds _kingpost, too")
add_custom_target(kingpost_extensions)
foreach(python IN LISTS KINGPOST_OTHER_PYTHONS)
  execute_process(
    COMMAND ${python} -c "import sysconfig as s; print(s.get_path('include'), s.get_config_var('EXT_SUFFIX'), sep=';')"
    OUTPUT_VARIABLE told OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  list(GET told 0 headers)
  list(GET told 1 suffix)
  if(NOT EXISTS ${headers}/Python.h)
    message(FATAL_ERROR "${python} has no headers: there is no Python.h in ${headers}")
  endif()
  set(target _kingpost${suffix})
  add_library(${target} MODULE EXCLUDE_FROM_ALL ${sources})
  kp_extension(${target})
  target_include_directories(${target} SYSTEM PRIVATE ${headers})
  target_link_libraries(${target} PRIVATE pybind11::headers)
  set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/python-others
    OUTPUT_NAME _kingpost PREFIX "" SUFFIX ${suffix} CXX_VISIBILITY_PRESET hidden)
  add_dependencies(kingpost_extensions ${target})
endforeach()
