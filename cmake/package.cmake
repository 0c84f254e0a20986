# What `cmake --install` puts where, and the packages that `cpack` makes of it.
include(GNUInstallDirs)

# The program prints its manual page and completion scripts: they are what its tables say.
set(generated "")
function(coopbench_prints file)
  add_custom_command(OUTPUT ${GEN}/${file} COMMAND coopbench ${ARGN} > ${GEN}/${file}
    DEPENDS coopbench VERBATIM)
  set(generated ${generated} ${GEN}/${file} PARENT_SCOPE)
endfunction()
coopbench_prints(coopbench.1 man)
coopbench_prints(coopbench.bash completion bash)
coopbench_prints(_coopbench completion zsh)
coopbench_prints(coopbench.fish completion fish)
add_custom_target(coopbench_documents ALL DEPENDS ${generated})

set(documents ${CMAKE_INSTALL_DATADIR}/doc/coopbench)
install(TARGETS coopbench RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${GEN}/coopbench.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${GEN}/coopbench.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME coopbench)
foreach(folder vendor-completions site-functions) # zsh looks below /usr in the one, below /usr/local in the other
  install(FILES ${GEN}/_coopbench DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${folder})
endforeach()
install(FILES ${GEN}/coopbench.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
file(GLOB configs CONFIGURE_DEPENDS configs/*.json)
install(FILES ${configs} DESTINATION ${CMAKE_INSTALL_DATADIR}/coopbench/configs)
file(GLOB guides CONFIGURE_DEPENDS docs/*.md docs/*.json)
install(FILES README.md ${guides} DESTINATION ${documents})
install(DIRECTORY docs/ci docs/commands DESTINATION ${documents})
install(PROGRAMS scripts/ci-perf.sh DESTINATION ${documents})
install(FILES LICENSE DESTINATION ${documents} RENAME copyright) # where Debian looks for it

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME coopbench)
set(CPACK_PACKAGE_VENDOR coopbench)
set(CPACK_PACKAGE_CONTACT "coopbench developers <coopbench@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "measures what OpenCL devices do when workgroups wait for each other")
set(CPACK_PACKAGE_DESCRIPTION "Synchronisation primitives, discovery of occupancy, and cooperative kernels, measured
 safely: every wait is bounded, and a deadlock is a row in the results.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd, gnuplot-nox")
if(CLANG_FOUND) # it is loaded when it is needed, so that CPack does not see it
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", libclang-dev")
endif()
include(CPack)
