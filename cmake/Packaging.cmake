# `cmake --install` and `cpack`. Debian has a package called kbuild already (of another program).
install(TARGETS kbuild RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
set(completions "${PROJECT_BINARY_DIR}/completions")
install(FILES "${completions}/kbuild"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${completions}/_kbuild"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
set(CMAKE_INSTALL_DOCDIR "${CMAKE_INSTALL_DATADIR}/doc/hf-kbuild")
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME copyright)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hf-kbuild)
set(CPACK_PACKAGE_VENDOR "kbuild developers")
set(CPACK_PACKAGE_CONTACT "kbuild developers <kbuild@localhost.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "cmake (>= 3.25), ninja-build, g++ | clang-19, python3, apt, dpkg, patchelf, libllvm19")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-pip, ccache")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_STRIP_FILES ON)
include(CPack)
