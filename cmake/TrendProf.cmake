# Tests of growth for ctest: the work of a program grows no faster than stated.
#
#   list(APPEND CMAKE_MODULE_PATH "…/trend-prof/cmake")
#   include(TrendProf)
#   enable_testing()
#   add_executable(sort sort.c)
#   trend_prof_test(NAME sort_growth TARGET sort ARGS {n} GROWTH "<= n log n")
#
#   NAME              of the test
#   TARGET            an executable of this project
#   ARGS              its arguments; {n} stands for a size, {input} for a file
#   GROWTH            the limit, as in docs/check.md
#   SIZES             the sizes, such as 100..100000x10; by default `trend-prof try` chooses them
#   FILES             input files in place of sizes, such as corpus/*, relative to the source folder
#   BUDGET            maximum time of the runs, such as 60s; by default 20s
#   ALLOW_UNDECIDED   the test passes if the sizes do not decide; by default it fails
#
# Each target has a further test, `trend-prof.build.TARGET`, which ctest runs first. It configures this project again in the
# folder `trend-prof` of the build folder, with the same options and instrumenting compilers, and builds the target there.
# Nothing is timed. trend-prof must be on the PATH, or in the environment variable TREND_PROF.
cmake_policy(VERSION 3.16)

if(NOT CMAKE_SCRIPT_MODE_FILE)
    set(_trend_prof_module "${CMAKE_CURRENT_LIST_FILE}")

    # Write the project's configuration for the instrumented build.
    function(_trend_prof_write_cache file)
        # trend-prof gets the compilers by name, and CMake detects their features again.
        set(passed "^CMAKE_(BUILD_TYPE|TOOLCHAIN_FILE|PREFIX_PATH|(C|CXX)_(FLAGS|STANDARD)|EXE_LINKER_FLAGS)")
        set(text "")
        get_cmake_property(names CACHE_VARIABLES)
        foreach(name IN LISTS names)
            get_property(type CACHE "${name}" PROPERTY TYPE)
            if(type MATCHES "INTERNAL|STATIC" OR (name MATCHES "^CMAKE_" AND NOT name MATCHES "${passed}"))
                continue()
            endif()
            if(type STREQUAL "UNINITIALIZED")
                set(type STRING)
            endif()
            get_property(value CACHE "${name}" PROPERTY VALUE)
            string(APPEND text "set([==[${name}]==] [==[${value}]==] CACHE ${type} \"\")\n")
        endforeach()
        file(WRITE "${file}" "${text}")
    endfunction()

    # A macro, because CMake applies the policies of the calling folder to tests: their names may contain blanks.
    macro(trend_prof_test)
        if(POLICY CMP0110)
            cmake_policy(SET CMP0110 NEW)
        endif()
        _trend_prof_test(${ARGN})
    endmacro()

    function(_trend_prof_test)
        cmake_parse_arguments(PARSE_ARGV 0 given "ALLOW_UNDECIDED" "NAME;TARGET;GROWTH;SIZES;FILES;BUDGET" "ARGS")
        foreach(needed NAME TARGET GROWTH)
            if(NOT given_${needed})
                message(FATAL_ERROR "trend_prof_test: ${needed} is missing; write such as "
                    "trend_prof_test(NAME sort_growth TARGET sort ARGS {n} GROWTH \"<= n log n\")")
            endif()
        endforeach()
        if(given_UNPARSED_ARGUMENTS)
            message(FATAL_ERROR "trend_prof_test: ${given_UNPARSED_ARGUMENTS} is no option")
        endif()
        if(NOT POLICY CMP0110 AND given_NAME MATCHES "[^A-Za-z0-9_.+-]")
            message(FATAL_ERROR "trend_prof_test: ${given_NAME} is no name for a test before CMake 3.19; use letters, digits, "
                "`_`, `.`, `+` and `-`")
        endif()
        if(NOT TARGET "${given_TARGET}")
            message(FATAL_ERROR "trend_prof_test: there is no target ${given_TARGET}; call this behind add_executable")
        endif()
        set(folder "${CMAKE_BINARY_DIR}/trend-prof")
        get_property(built GLOBAL PROPERTY _trend_prof_built)
        if(NOT given_TARGET IN_LIST built)
            set_property(GLOBAL APPEND PROPERTY _trend_prof_built "${given_TARGET}")
            # In the instrumented build this is the instrumented program.
            file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/trend-prof-programs/$<CONFIG>/${given_TARGET}"
                CONTENT "$<TARGET_FILE:${given_TARGET}>")
            _trend_prof_write_cache("${folder}.cache.cmake")
            add_test(NAME "trend-prof.build.${given_TARGET}" COMMAND "${CMAKE_COMMAND}" -DSTEP=build
                "-DSOURCE=${CMAKE_SOURCE_DIR}" "-DFOLDER=${folder}" "-DGENERATOR=${CMAKE_GENERATOR}" "-DCONFIG=$<CONFIG>"
                "-DC=${CMAKE_C_COMPILER}" "-DCXX=${CMAKE_CXX_COMPILER}" "-DTARGET=${given_TARGET}" -P "${_trend_prof_module}")
            set_tests_properties("trend-prof.build.${given_TARGET}" PROPERTIES
                FIXTURES_SETUP "trend-prof.${given_TARGET}" RESOURCE_LOCK "${folder}")
        endif()
        add_test(NAME "${given_NAME}" WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" COMMAND "${CMAKE_COMMAND}" -DSTEP=try
            "-DFOLDER=${folder}" "-DCONFIG=$<CONFIG>" "-DTARGET=${given_TARGET}" "-DNAME=${given_NAME}"
            "-DGROWTH=${given_GROWTH}" "-DSIZES=${given_SIZES}" "-DFILES=${given_FILES}" "-DBUDGET=${given_BUDGET}"
            "-DALLOW_UNDECIDED=${given_ALLOW_UNDECIDED}" "-DARGUMENTS=${given_ARGS}" -P "${_trend_prof_module}")
        set_tests_properties("${given_NAME}" PROPERTIES FIXTURES_REQUIRED "trend-prof.${given_TARGET}")
    endfunction()
    return()
endif()

# The rest runs as a test.
set(trend_prof "$ENV{TREND_PROF}")
if(NOT trend_prof)
    find_program(trend_prof_program trend-prof)
    set(trend_prof "${trend_prof_program}")
endif()
if(NOT trend_prof OR NOT EXISTS "${trend_prof}")
    message(FATAL_ERROR "This test counts with trend-prof, which is not there: `cargo install --path crates/trend-prof` in the "
        "repository of trend-prof puts it on the PATH, or let the variable TREND_PROF name it.")
endif()

if(STEP STREQUAL "build")
    # trend-prof wraps the compilers that these name.
    if(C)
        set(ENV{CC} "${C}")
    endif()
    if(CXX)
        set(ENV{CXX} "${CXX}")
    endif()
    execute_process(COMMAND "${trend_prof}" build -- "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${FOLDER}" -G "${GENERATOR}"
        -C "${FOLDER}.cache.cmake" RESULT_VARIABLE result)
    if(result EQUAL 0)
        execute_process(COMMAND "${trend_prof}" build -- "${CMAKE_COMMAND}" --build "${FOLDER}" --target "${TARGET}"
            --config "${CONFIG}" RESULT_VARIABLE result)
    endif()
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "The build of ${TARGET} that counts failed.")
    endif()
    return()
endif()

file(READ "${FOLDER}/trend-prof-programs/${CONFIG}/${TARGET}" program)
set(study "${FOLDER}/${NAME}.trend")
# Each run of the test counts again.
file(REMOVE "${study}")
if(NOT BUDGET)
    set(BUDGET 20s)
endif()
set(options --no-build --expect "${GROWTH}" --study "${study}" --budget "${BUDGET}")
if(SIZES)
    list(APPEND options --param "n=${SIZES}")
endif()
if(FILES)
    list(APPEND options --files "${FILES}")
endif()
if(ALLOW_UNDECIDED)
    list(APPEND options --allow-undecided)
endif()
execute_process(COMMAND "${trend_prof}" try ${options} -- "${program}" ${ARGUMENTS} RESULT_VARIABLE result)
if(result EQUAL 0)
    return()
endif()
set(shown "${study}")
if(shown MATCHES " ")
    set(shown "'${study}'")
endif()
set(looked "`trend-prof show ${shown}` says what grows.")
if(result EQUAL 1)
    message(FATAL_ERROR "${TARGET} does not grow as `${GROWTH}`. ${looked}")
elseif(result EQUAL 3)
    message(FATAL_ERROR "It is undecided whether ${TARGET} grows as `${GROWTH}`. Give it larger SIZES or more BUDGET, or a limit "
        "that is further away; with ALLOW_UNDECIDED the test passes. ${looked}")
endif()
message(FATAL_ERROR "trend-prof cannot say how ${TARGET} grows. Where it does not take any number, give the sizes that it takes, "
    "such as SIZES 100..10000x10.")
