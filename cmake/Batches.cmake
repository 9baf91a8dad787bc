# SPDX-License-Identifier: Apache-2.0
# More than half of the time to compile one of our files goes into headers and templates that its neighbours need as
# well. So a build of everything compiles files in batches; a developer who changes one file again and again is better
# off without (the preset dev). Names in unnamed namespaces are therefore unique within a folder: two files that disagree
# about one may not compile together.
option(KINGPOST_BATCHES "Compile several files at once: a quicker build, a slower rebuild of one file" OFF)
if(KINGPOST_BATCHES AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC takes an included .cc for a header, in which a field of a type from an unnamed namespace would be a mistake.
  add_compile_options(-Wno-subobject-linkage)
endif()
set(KINGPOST_APART "" CACHE STRING "A regular expression: files whose path matches it are compiled alone, in a build with batches")
set(KINGPOST_BATCH_MAX 32)
set(KINGPOST_BATCH_MIN 16)
set(KINGPOST_BATCH_REST 6)  # fewer at the end go with those before them (JOIN)

# kp_batches(<variable> <target> <root> [JOIN] <files>...): the files to compile, each of which includes some of <files> as
# the compiler finds them from <root>. One that has compile options or definitions of its own stays alone.
#
# A batch ends with its folder, or where the name of its last file says so: a new file changes its own batch, and not all
# those after it. With JOIN one that is small goes on into the next folder: whatever it is made of, a batch takes two
# seconds for the headers that nearly all files read. What is written has no absolute paths, so that clones share the
# compiler cache.
function(kp_batches variable target root)
  cmake_parse_arguments(PARSE_ARGV 3 arg "JOIN" "" "")
  set(files ${arg_UNPARSED_ARGUMENTS})
  if(NOT KINGPOST_BATCHES)
    set(${variable} ${files} PARENT_SCOPE)
    return()
  endif()
  set(smallest 1)
  set(rest 0)
  if(arg_JOIN)
    set(smallest ${KINGPOST_BATCH_MIN})
    set(rest ${KINGPOST_BATCH_REST})
  endif()
  set(compiled)
  set(batch)
  list(TRANSFORM files REPLACE "/([^/]+)$" "//\\1")
  list(SORT files)  # a folder's own files, and then those of its subfolders
  list(LENGTH files left)
  foreach(file IN LISTS files)
    cmake_path(NORMAL_PATH file)
    get_source_file_property(own_options ${file} COMPILE_OPTIONS)
    get_source_file_property(own_definitions ${file} COMPILE_DEFINITIONS)
    if(own_options OR own_definitions OR (KINGPOST_APART AND file MATCHES "${KINGPOST_APART}"))
      list(APPEND compiled ${file})
      continue()
    endif()
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${root})
    cmake_path(GET file PARENT_PATH folder)
    list(LENGTH batch size)
    string(MD5 digest "${last}")
    if(left GREATER_EQUAL rest AND (size GREATER_EQUAL KINGPOST_BATCH_MAX OR
        (size GREATER_EQUAL KINGPOST_BATCH_MIN AND digest MATCHES "^[0-3]") OR
        (size GREATER_EQUAL smallest AND NOT folder STREQUAL last_folder)))
      kp_write_batch(compiled ${target} ${batch})
      set(batch)
    endif()
    list(APPEND batch ${file})
    math(EXPR left "${left} - 1")
    set(last ${file})
    set(last_folder ${folder})
  endforeach()
  if(batch)
    kp_write_batch(compiled ${target} ${batch})
  endif()
  set(${variable} ${compiled} PARENT_SCOPE)
endfunction()

# kp_write_batch(<list> <target> <files>...): appends the file that includes <files>.
function(kp_write_batch list target first)
  string(MAKE_C_IDENTIFIER ${first} name)
  set(path ${CMAKE_BINARY_DIR}/batches/${target}/from_${name}.cc)
  list(TRANSFORM ARGN REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE includes)
  list(JOIN includes "" text)
  file(CONFIGURE OUTPUT ${path} CONTENT "#include \"${first}\"\n${text}" @ONLY)
  set(${list} ${${list}} ${path} PARENT_SCOPE)
endfunction()
