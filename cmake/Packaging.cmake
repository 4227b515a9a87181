# `cmake --install` and `cpack`. Debian has a package called kbuild already (of another program).
install(TARGETS kbuild RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(TARGETS kbuild-step kbuild-bundle kbuild-link RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/kbuild")
set(completions "${PROJECT_BINARY_DIR}/completions")
install(FILES "${completions}/kbuild"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${completions}/_kbuild"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
set(CMAKE_INSTALL_DOCDIR "${CMAKE_INSTALL_DATADIR}/doc/hf-kbuild")
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME copyright)

# The Debian packages of the libraries that are loaded on demand: shlibdeps sees only what is linked.
get_property(on_demand GLOBAL PROPERTY KBUILD_ON_DEMAND_LIBRARIES)
set(on_demand_packages "")
foreach(library IN LISTS on_demand)
  file(REAL_PATH "${library}" library)
  execute_process(COMMAND dpkg-query --search "${library}" OUTPUT_VARIABLE owner ERROR_QUIET)
  if(owner MATCHES "^([^:]+):")
    string(APPEND on_demand_packages ", ${CMAKE_MATCH_1}")
  endif()
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hf-kbuild)
set(CPACK_PACKAGE_VENDOR "kbuild developers")
set(CPACK_PACKAGE_CONTACT "kbuild developers <kbuild@localhost.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "cmake (>= 3.25), ninja-build, g++ | clang-19, python3, apt, dpkg, patchelf, libllvm19${on_demand_packages}")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-pip, ccache")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_STRIP_FILES ON)
include(CPack)
