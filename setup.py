"""Map the top-level folders `tools/` and `unit_tests/` to `autods.tools` and `autods.unit_tests`."""

from setuptools import find_packages, setup

ROOTS = {"autods": "autods", "autods.tools": "tools", "autods.unit_tests": "unit_tests"}
setup(
    package_dir=ROOTS,
    packages=[
        name
        for package, folder in ROOTS.items()
        for name in (package, *(f"{package}.{sub}" for sub in find_packages(folder)))
    ],
)
