"""The wheel, installed where the sources are not, has everything and leaks nothing."""

import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pandas as pd
import pytest

import autods

ROOT = Path(__file__).parents[1]
SOURCES = ("autods", "tools", "unit_tests")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built of a copy of the sources, so that nothing is left in the clone and nothing stale gets in."""
    pytest.importorskip("setuptools")
    sources, out = tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("wheel")
    for name in SOURCES:
        shutil.copytree(ROOT / name, sources / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md"):
        shutil.copy(ROOT / name, sources)
    arguments = ["wheel", "--no-build-isolation", "--no-deps", "--disable-pip-version-check", "-q", "-w", str(out)]
    done = subprocess.run(
        [sys.executable, "-m", "pip", *arguments, str(sources)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    (built,) = out.glob("autods-*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """A clean environment with the wheel; only the libraries come from this one, this clone does not."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, timeout=120)
    (site,) = folder.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    # A path file adds the libraries, but does not run the path files beside them, one of which may bring this clone back.
    (site / "libraries.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return folder / "bin" / "python"


def ask(python, folder, *arguments, timeout=120):
    return subprocess.run([str(python), *arguments], cwd=folder, capture_output=True, text=True, timeout=timeout)


def test_the_wheel_has_every_source_and_what_goes_with_it(wheel):
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    homes = {"autods": "autods", "tools": "autods/tools", "unit_tests": "autods/unit_tests"}
    for name in SOURCES:
        for path in (ROOT / name).rglob("*"):
            if path.suffix in (".py", ".j2", ".css", ".ini", ".typed"):
                assert f"{homes[name]}/{path.relative_to(ROOT / name).as_posix()}" in inside


def test_nothing_but_autods_is_at_the_top(wheel):
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"autods"}


@pytest.mark.parametrize("name", ["tools", "unit_tests"])
def test_no_module_of_that_name_is_importable(python, tmp_path, name):
    done = ask(python, tmp_path, "-c", f"import {name}")
    assert f"No module named '{name}'" in done.stderr


def test_the_installed_package_is_not_the_clone(python, tmp_path):
    code = "import autods.tools, autods.unit_tests; print(autods.__file__, autods.tools.__file__, autods.unit_tests.__file__)"
    done = ask(python, tmp_path, "-c", code)
    assert done.returncode == 0, done.stderr
    assert all("site-packages" in path and str(ROOT) not in path for path in done.stdout.split())


def test_titanic_passes_every_gate(python, tmp_path):
    shutil.copytree(ROOT / "competitions" / "titanic", tmp_path / "titanic")
    command = ["-m", "autods.cli", "run", "titanic", "--effort", "quick", "--output", "reports"]
    done = ask(python, tmp_path, *command, timeout=900)
    assert done.returncode == 0, done.stderr
    (root,) = (path for path in (tmp_path / "reports").glob("*/*") if not path.is_symlink())
    run = autods.Run(root)
    assert list(run.attempts["phase"]) == [
        "background", "preliminary_eda", "cleaning", "deep_eda", "feature_engineering", "modeling",
    ]  # fmt: skip
    assert run.attempts["accepted"].all()
    assert not run.attempts["fallback"].any()
    rows = pd.read_csv(tmp_path / "titanic" / "test.csv", dtype=str)
    assert list(run.submission["id"]) == list(rows["id"])
