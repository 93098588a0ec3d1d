"""`pip install .`: CMake builds the package, and this puts it where pip wants it.

CAMEO_BUILD_DIR names a folder that CMake was configured for already. A folder that is not is configured without the tests.
"""

import os
import pathlib
import subprocess
import sys

import setuptools
from setuptools.command.build_ext import build_ext

SOURCE = pathlib.Path(__file__).resolve().parent
BUILT = SOURCE / "build" / "release"
BUILD = pathlib.Path(os.environ.get("CAMEO_BUILD_DIR", BUILT if BUILT.exists() else SOURCE / "build" / "package"))


class CMake(build_ext):
    def build_extension(self, extension):
        target = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve().parent.parent
        if not (BUILD / "CMakeCache.txt").exists():
            subprocess.run(["cmake", "--preset", "release", "-B", BUILD, f"-DPython3_EXECUTABLE={sys.executable}",
                            "-DCAMEO_TESTS=OFF"],
                           cwd=SOURCE, check=True)
        subprocess.run(["cmake", "--build", BUILD, "--target", "cameo_python", "--parallel"], check=True)
        subprocess.run(["cmake", "--install", BUILD, "--component", "python", "--prefix", target], check=True)


(SOURCE / "build").mkdir(exist_ok=True)
setuptools.setup(
    packages=[],
    ext_modules=[setuptools.Extension("cameo._cameo", [])],
    cmdclass={"build_ext": CMake},
    options={"egg_info": {"egg_base": "build"}, "build": {"build_base": "build/pip"}},
)
