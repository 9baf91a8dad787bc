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
pybind11_add_module(_kingpost MODULE NO_EXTRAS ${sources})
target_compile_options(_kingpost PRIVATE -Wall -Wextra)
target_compile_definitions(_kingpost PRIVATE KINGPOST_VERSION="${PROJECT_VERSION}")
target_include_directories(_kingpost PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/python)
target_link_libraries(_kingpost PRIVATE kp_rpc kp_operation)
set_target_properties(_kingpost PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/python/kingpost)
install(TARGETS _kingpost LIBRARY DESTINATION kingpost)
