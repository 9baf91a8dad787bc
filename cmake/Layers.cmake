# SPDX-License-Identifier: Apache-2.0
# kp_layer(<folder> [COLD [HOT <names>...]] [DEPS <outside targets>...]): the library of all sources below cpp/<folder>,
# without those of libraries inside it, called kp_ and the folder's last name: kp_pcl is languages/pcl. What it sees of
# other libraries is in cmake/Rooms.cmake. Globbed, so that adding a file is adding a file. A folder with no source yet is
# headers only.
#
# COLD is what a deployment spends no time in: it is compiled with -Og, a fifth quicker than with -O1, and with a third of
# the code that -O0 makes, which costs the assembler and the linker more than it spares. HOT names the files of such a
# folder for which that is not true.
function(kp_layer folder)
  cmake_parse_arguments(arg "COLD" "" "HOT;DEPS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cpp/${folder}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  set(seen)
  foreach(room IN LISTS KINGPOST_ROOMS)
    if(KINGPOST_LIBRARY_OF_${room} STREQUAL folder)
      list(APPEND seen ${KINGPOST_SEEN_BY_${room}})
    elseif(room MATCHES "^${folder}/")
      list(FILTER sources EXCLUDE REGEX "/cpp/${room}/")
    endif()
  endforeach()
  set(libraries)
  foreach(room IN LISTS seen)
    if(NOT KINGPOST_LIBRARY_OF_${room} STREQUAL folder)
      cmake_path(GET KINGPOST_LIBRARY_OF_${room} FILENAME library)
      list(APPEND libraries kp_${library})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES libraries)
  cmake_path(GET folder FILENAME name)

  if(sources)
    set(hot ${arg_HOT})
    list(TRANSFORM hot REPLACE "(.+)" "${CMAKE_CURRENT_SOURCE_DIR}/cpp/${folder}/\\1.cc")
    if(hot)
      list(REMOVE_ITEM sources ${hot})
      kp_batches(hot kp_${name} ${CMAKE_CURRENT_SOURCE_DIR}/cpp JOIN ${hot})
      set_source_files_properties(${hot} PROPERTIES COMPILE_OPTIONS -O2)
    endif()
    kp_batches(sources kp_${name} ${CMAKE_CURRENT_SOURCE_DIR}/cpp JOIN ${sources})
    list(APPEND sources ${hot})
    add_library(kp_${name} STATIC ${sources})
    set(scope PUBLIC)
    kp_compile_roomily(kp_${name})
    target_compile_options(kp_${name} PRIVATE -Wall -Wextra $<$<BOOL:${arg_COLD}>:-Og>)
    target_compile_definitions(kp_${name} PRIVATE KINGPOST_VERSION="${PROJECT_VERSION}")
  else()
    add_library(kp_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(kp_${name} ${scope}
    ${CMAKE_CURRENT_SOURCE_DIR}/cpp ${CMAKE_CURRENT_SOURCE_DIR}/cpp/include)
  target_link_libraries(kp_${name} ${scope} ${libraries} ${arg_DEPS})
endfunction()
