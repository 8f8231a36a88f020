"""What all tests share: how many cases hypothesis makes, and files of expected output."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from rtec.environment import find_swipl
from rtec.native import prepare_native

ROOT = Path(__file__).resolve().parent.parent

# Evaluating a description takes as long as it takes: no deadlines, no complaint about speed.
_common = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "print_blob": True}
# The same cases every time, so that a change is judged by itself; `deep` looks for new ones.
settings.register_profile("default", max_examples=100, derandomize=True, **_common)
settings.register_profile("deep", max_examples=3000, **_common)
settings.load_profile("deep" if os.environ.get("RTEC_DEEP") == "1" else "default")


def pytest_configure(config: pytest.Config) -> None:
    """Give the tests a temporary folder of their own, which goes when they are done.

    Processes that are killed on purpose, Spark's among them, leave their files behind.
    """
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
    folder = tempfile.TemporaryDirectory(prefix="rtec-tests-", ignore_cleanup_errors=True)
    os.environ["TMPDIR"] = os.environ["SPARK_LOCAL_DIRS"] = folder.name
    tempfile.tempdir = None
    config.add_cleanup(folder.cleanup)
    # The engine is started once, by whichever test comes first, and may find no cache then.
    prepare_native(find_swipl().home)


@pytest.hookimpl(tryfirst=True)  # xdist reads the groups when its turn comes
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that compare with stored files, so that `make golden` runs just them.

    Where tests run side by side, those of a file stay together, and so do all that share the
    session of Spark.
    """
    for item in items:
        shares_spark = "spark" in getattr(item, "fixturenames", ())
        item.add_marker(pytest.mark.xdist_group("spark" if shares_spark else item.path.name))
        if "golden" in getattr(item, "fixturenames", ()) or "golden" in item.nodeid:
            item.add_marker(pytest.mark.golden)


@pytest.fixture
def root() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture
def golden() -> Callable[[Path, str], None]:
    """Compare text with a stored file, or store it: `golden(path, text)`.

    With RTEC_GOLDEN=1 the file is rewritten instead of compared.
    """

    def compare(path: Path, text: str) -> None:
        if os.environ.get("RTEC_GOLDEN") == "1":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        assert path.is_file(), f"{path} does not exist; `make golden` writes it"
        assert text == path.read_text(encoding="utf-8")

    return compare
