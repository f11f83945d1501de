# Puts the viewer's page where the command looks for it: cmake -DFROM=FILE -DTO=FOLDER -P copy-page.cmake
if(EXISTS ${FROM})
  file(COPY ${FROM} DESTINATION ${TO})
endif()
