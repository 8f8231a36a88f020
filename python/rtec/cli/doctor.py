"""`rtec doctor`: what was found, and what to do about what is missing."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import click

from rtec import environment
from rtec.errors import RtecError
from rtec.native import find_native

SPARK_JAVAS = (17, 21)
"""The Java versions that Spark 4 runs on."""


class State(Enum):
    """How a part was found; the value is what the report shows."""

    GOOD = "ok"
    ABSENT = "--"
    BROKEN = "!!"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one part.

    Attributes:
        part: Its name.
        state: Whether it can be used.
        text: Version and place, or what is wrong.
        remedy: What to do about it, if anything.
        core: Whether `rtec run` needs it.
    """

    part: str
    state: State
    text: str
    remedy: str | None = None
    core: bool = False


@click.command()
def command() -> None:
    """Say what is installed, and what to do about what is not.

    Ends with exit code 1 if something is missing that `rtec run` needs.
    """
    findings = [look() for look in PARTS]
    click.echo(report(findings))
    if not core_works(findings):
        raise click.exceptions.Exit(1)


def core_works(findings: list[Finding]) -> bool:
    """Tell whether everything that `rtec run` needs is there."""
    return all(f.state is State.GOOD for f in findings if f.core)


def report(findings: list[Finding]) -> str:
    """Write the findings, one a line, each remedy under its finding, then the conclusion."""
    width = max(len(f.part) for f in findings)
    lines = []
    for finding in findings:
        lines.append(f"{finding.state.value}  {finding.part:<{width}}  {finding.text}")
        if finding.remedy:
            lines.append(f"{'':{width + 6}}{finding.remedy}")
    wanting = [f.part for f in findings if f.state is not State.GOOD]
    if not core_works(findings):
        lines.append("rtec cannot run yet: see the lines with !! above")
    elif wanting:
        lines.append(f"rtec is ready; without: {', '.join(wanting)}")
    else:
        lines.append("rtec is ready, with everything")
    return "\n".join(lines)


def look_at_rtec() -> Finding:
    """Find the package itself and its folders."""
    try:
        version = importlib.metadata.version("rtec")
        folders = [
            environment.prolog_folder(),
            environment.descriptions_folder(),
            environment.data_folder(),
        ]
    except importlib.metadata.PackageNotFoundError:
        return _broken("rtec", "is not installed in this Python", "pip install rtec")
    except RtecError as error:
        return _broken_by("rtec", error)
    kind = "checkout" if environment.checkout_folder() else "installed"
    return Finding("rtec", State.GOOD, f"{version}, {kind}, {folders[0].parent}", core=True)


def look_at_python() -> Finding:
    """Find the running Python."""
    text = f"{platform.python_version()}, {sys.executable}"
    return Finding("Python", State.GOOD, text, core=True)


def look_at_swipl() -> Finding:
    """Find SWI-Prolog, and set this process up for it."""
    try:
        swipl = environment.find_swipl()
        home = environment.prepare_swipl()
    except RtecError as error:
        return _broken_by("SWI-Prolog", error)
    text = f"{environment.version_text(swipl.version)}, {swipl.program}, home {home}"
    return Finding("SWI-Prolog", State.GOOD, text, core=True)


# In a process of its own: a janus compiled for another SWI-Prolog may crash. It inherits
# SWI_HOME_DIR from what look_at_swipl() prepared.
_TRY_JANUS = """
import sys
import janus_swi
number = janus_swi.query_once("current_prolog_flag(version, Number)")["Number"]
for file in sys.argv[1:]:
    janus_swi.query_once("use_module(File, [])", {"File": file})
sys.stdout.write(f"embeds {number // 10000}.{number // 100 % 100}.{number % 100}")
"""


def look_at_janus() -> Finding:
    """Find janus, and try it: load Prolog into Python, and the engine into Prolog."""
    version = _version_of("janus-swi")
    if version is None:
        return _broken_by("janus", environment.janus_unusable("janus-swi is not installed"))
    try:
        engine = [str(environment.prolog_folder() / "rtec.pl")]
    except RtecError:
        engine = []  # reported already, as a part of its own
    try:
        tried = subprocess.run(
            [sys.executable, "-c", _TRY_JANUS, *engine],
            capture_output=True,
            text=True,
            timeout=120,
        )
    except subprocess.TimeoutExpired:
        return _broken_by("janus", environment.janus_unusable("it does not answer"))
    if tried.returncode != 0 or "embeds" not in tried.stdout:
        said = (tried.stderr or tried.stdout).strip().splitlines()
        reason = said[-1] if said else f"it ended with code {tried.returncode}"
        return _broken_by("janus", environment.janus_unusable(reason))
    return Finding("janus", State.GOOD, f"{version}, {tried.stdout}", core=True)


def look_at_native() -> Finding:
    """Find the library in C, which makes recognition faster."""
    try:
        native = find_native(environment.prepare_swipl())
    except RtecError:
        return Finding("native", State.ABSENT, "needs SWI-Prolog")
    if native.library is None:
        said = native.reason.splitlines()[0]
        return Finding(
            "native",
            State.ABSENT,
            f"{said}; recognition takes up to twice as long",
            "install a C compiler (`apt install gcc libc6-dev`)",
        )
    return Finding("native", State.GOOD, str(native.library))


def look_at_arrays() -> Finding:
    """Find NumPy and Arrow."""
    versions = {name: _version_of(name) for name in ("numpy", "pyarrow")}
    absent = [name for name, version in versions.items() if version is None]
    if absent:
        return _broken("arrays", f"not installed: {', '.join(absent)}", "pip install rtec")
    text = ", ".join(f"{name} {version}" for name, version in versions.items())
    return Finding("arrays", State.GOOD, text, core=True)


def look_at_graphviz() -> Finding:
    """Find the program that draws `rtec graph`."""
    dot = shutil.which("dot")
    if dot is None:
        return Finding(
            "graphviz",
            State.ABSENT,
            "no program `dot`; `rtec graph` needs it for svg and png",
            "install graphviz (`apt install graphviz`, `brew install graphviz`)",
        )
    return Finding("graphviz", State.GOOD, dot)


def look_at_java() -> Finding:
    """Find a Java that Spark runs on."""
    remedy = "install Java 17 (`apt install openjdk-17-jre-headless`) or set JAVA_HOME to one"
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=os.path.join(home, "bin")) if home else shutil.which("java")
    if java is None:
        where = f"none in JAVA_HOME ({home})" if home else "none on PATH"
        return Finding("Java", State.ABSENT, f"{where}; Spark needs 17 or 21", remedy)
    try:
        asked = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60)
        version = java_version(asked.stderr + asked.stdout)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding("Java", State.BROKEN, f"{java} does not run: {error}", remedy)
    if version is None:
        return Finding("Java", State.BROKEN, f"{java} does not say its version", remedy)
    if int(version.split(".")[0]) not in SPARK_JAVAS:
        text = f"{version}, {java}; Spark needs 17 or 21"
        return Finding("Java", State.BROKEN, text, remedy)
    return Finding("Java", State.GOOD, f"{version}, {java}")


def java_version(said: str) -> str | None:
    """Read the version out of what `java -version` says.

    >>> java_version('openjdk version "17.0.15" 2025-04-15')
    '17.0.15'
    """
    found = re.search(r'version "(\d+[^"]*)"', said)
    return found[1] if found else None


def look_at_spark() -> Finding:
    """Find PySpark and what its stateful streaming needs."""
    return _look_at_extra(
        "Spark", "spark", "pyspark", "pandas", "protobuf", "grpcio", "zstandard"
    )


def look_at_problog() -> Finding:
    """Find ProbLog."""
    return _look_at_extra("ProbLog", "prob", "problog")


def look_at_mqtt() -> Finding:
    """Find the MQTT client."""
    return _look_at_extra("MQTT", "mqtt", "paho-mqtt")


PARTS: tuple[Callable[[], Finding], ...] = (
    look_at_rtec,
    look_at_python,
    look_at_swipl,
    look_at_janus,
    look_at_native,
    look_at_arrays,
    look_at_graphviz,
    look_at_java,
    look_at_spark,
    look_at_problog,
    look_at_mqtt,
)
"""What the doctor looks at, in the order of the report: first what `rtec run` needs."""


def _look_at_extra(part: str, extra: str, *packages: str) -> Finding:
    """Find the packages of one extra; the first gives the version to show."""
    versions = [_version_of(package) for package in packages]
    remedy = f"pip install 'rtec[{extra}]'"
    if versions[0] is None:
        return Finding(part, State.ABSENT, f"{packages[0]} is not installed", remedy)
    absent = [p for p, version in zip(packages, versions, strict=True) if version is None]
    if absent:
        text = f"{packages[0]} {versions[0]}, but not {', '.join(absent)}"
        return Finding(part, State.BROKEN, text, remedy)
    return Finding(part, State.GOOD, f"{packages[0]} {versions[0]}")


def _version_of(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def _broken(part: str, text: str, remedy: str) -> Finding:
    return Finding(part, State.BROKEN, text, remedy, core=True)


def _broken_by(part: str, error: RtecError) -> Finding:
    """Make a finding of an error that already knows its remedy."""
    problem = error.problems[0]
    return Finding(part, State.BROKEN, problem.message, problem.remedy, core=True)
