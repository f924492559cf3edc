"""Shows that the project's dependencies can be resolved from wheels on every platform it is meant for.

    .venv/bin/python scripts/check_platforms.py            all platforms
    .venv/bin/python scripts/check_platforms.py win_amd64  some

It asks pip what it would install (`--dry-run`, nothing is installed or downloaded whole). pip answers for another
platform with `--platform`, but goes on evaluating markers for the one it runs on, so they are told to it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

_LINUX = ("manylinux_2_28", "manylinux_2_27", "manylinux_2_17", "manylinux2014")
_MAC = tuple(f"macosx_{version}" for version in ("14_0", "13_0", "12_0", "11_0", "10_15", "10_13", "10_9"))
PLATFORMS = {
    "linux_x86_64": ("Linux", "linux", "posix", "x86_64", _LINUX),
    "linux_aarch64": ("Linux", "linux", "posix", "aarch64", _LINUX),
    "win_amd64": ("Windows", "win32", "nt", "AMD64", ()),
    "macosx_arm64": ("Darwin", "darwin", "posix", "arm64", _MAC),
    "macosx_x86_64": ("Darwin", "darwin", "posix", "x86_64", _MAC),
}
"""name: what Python says of the platform, and the tags of the wheels that it takes."""
VERSIONS = ("3.11", "3.12", "3.13")
_PIP = """
import json, sys
from pip._vendor.packaging import markers
told = json.loads(sys.argv.pop(1))
usual = markers.default_environment
markers.default_environment = lambda: {**usual(), **told}
from pip._internal.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def requirements() -> list[str]:
    """What the project needs to run."""
    root = Path(__file__).resolve().parents[1]
    listed: list[str] = tomllib.loads((root / "pyproject.toml").read_text())["project"]["dependencies"]
    return listed


def resolve(platform: str, version: str) -> tuple[dict[str, str], str]:
    """Packages and versions that pip would install; or nothing, and its last word."""
    system, sys_platform, os_name, machine, bases = PLATFORMS[platform]
    tags = [f"{base}_{machine}" for base in bases] or [platform]
    told = {
        "platform_system": system,
        "sys_platform": sys_platform,
        "os_name": os_name,
        "platform_machine": machine,
        "python_version": version,
        "python_full_version": version + ".0",
    }
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        done = subprocess.run(
            [
                *(sys.executable, "-c", _PIP, json.dumps(told)),
                *("install", "--dry-run", "--quiet", "--ignore-installed", "--disable-pip-version-check"),
                *("--only-binary", ":all:", *(word for tag in tags for word in ("--platform", tag))),
                *("--python-version", version, "--target", folder, "--report", str(report)),
                *requirements(),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
            return {}, lines[-1] if lines else done.stderr[-200:]
        found = json.loads(report.read_text())["install"]
    return {entry["metadata"]["name"].lower(): entry["metadata"]["version"] for entry in found}, ""


def main() -> int:
    """Print a line for every platform and Python; 1 where one cannot be resolved."""
    wanted = sys.argv[1:] or list(PLATFORMS)
    failed = False
    for platform in wanted:
        for version in VERSIONS:
            found, why = resolve(platform, version)
            engine = "pybullet and panda3d.bullet" if "pybullet" in found else "panda3d.bullet"
            told = f"{len(found)} packages, {engine}" if found else f"NOT RESOLVED: {why}"
            print(f"{platform:14} Python {version}: {told}", flush=True)
            failed = failed or not found
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
