# The runtime for other programs: runtime/library/coopbench.h, as a static and as a shared library, and a file for pkg-config.
include(GNUInstallDirs)

file(GLOB LIBRARY_SOURCES CONFIGURE_DEPENDS runtime/library/*.c)
add_library(coopbench_library OBJECT ${LIBRARY_SOURCES})
set_target_properties(coopbench_library PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
target_link_libraries(coopbench_library PUBLIC coopbench_runtime)

foreach(kind STATIC SHARED)
  string(TOLOWER coopbench_${kind} target)
  add_library(${target} ${kind} $<TARGET_OBJECTS:coopbench_library> $<TARGET_OBJECTS:coopbench_runtime>)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME coopbench
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  target_link_libraries(${target} PRIVATE OpenCL::OpenCL PkgConfig::CJSON Threads::Threads ${CMAKE_DL_LIBS} m)
  if(ZLIB_FOUND)
    target_link_libraries(${target} PRIVATE ZLIB::ZLIB)
  endif()
  install(TARGETS ${target} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()

install(FILES runtime/library/coopbench.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY kernels DESTINATION ${CMAKE_INSTALL_DATADIR}/coopbench FILES_MATCHING PATTERN *.cl PATTERN *.clh PATTERN *.h)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/coopbench)

set(PKG_ZLIB "")
if(ZLIB_FOUND)
  set(PKG_ZLIB "zlib")
endif()
file(RELATIVE_PATH PKG_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/") # so that a tree may be moved
configure_file(cmake/coopbench.pc.in ${GEN}/coopbench.pc @ONLY)
install(FILES ${GEN}/coopbench.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
