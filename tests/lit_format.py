"""The lit test format of this tree. It is a module because lit sends tests to
worker processes, which must find the class by name."""

import lit.formats


class RunLineTest(lit.formats.ShTest):
  """A shell test per file with a RUN line; others are data."""

  def getTestsInDirectory(self, suite, path_in_suite, lit_config,
                          local_config):
    for test in super().getTestsInDirectory(suite, path_in_suite, lit_config,
                                            local_config):
      with open(test.getSourcePath(), "rb") as file:
        if b"RUN:" in file.read():
          yield test
