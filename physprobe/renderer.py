"""Choose the Mitsuba variant that works here, without loading Mitsuba into this process.

A libLLVM that Dr.Jit can't use may abort the process, so each candidate renders a tiny image in a subprocess.
The verdicts are remembered in the user's cache folder, keyed by everything they depend on.
"""

from __future__ import annotations

import functools
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

from physprobe.errors import UserError, unknown_name

VARIANTS = ("cuda_ad_rgb", "llvm_ad_rgb", "scalar_rgb")
VARIANT_VARIABLE = "PHYSPROBE_VARIANT"
LLVM_VARIABLE = "DRJIT_LIBLLVM_PATH"
LLVM_WHEEL = "karellen-llvm-core"

_PROBE_SECONDS = 120
_LIBRARY_PATTERNS = (
    "/usr/lib/*-linux-gnu/libLLVM*.so*",
    "/usr/lib/llvm-*/lib/libLLVM*.so*",
    "/usr/lib64/libLLVM*.so*",
    "/usr/lib64/llvm*/lib*/libLLVM*.so*",
    "/usr/lib/libLLVM*.so*",
    "/usr/local/lib/libLLVM*.so*",
    "/opt/homebrew/opt/llvm*/lib/libLLVM*.dylib",
    "/usr/local/opt/llvm*/lib/libLLVM*.dylib",
)

# Rendered in a fresh interpreter: the plugins that our scenes use, so that their code is compiled too.
_PROBE = """
import json, os, sys
os.environ["HOME"] = os.getcwd()  # no kernels cached by another library
import mitsuba as mi
mi.set_variant(sys.argv[1])
T = mi.ScalarTransform4f
scene = mi.load_dict({
    "type": "scene", "integrator": {"type": "path", "max_depth": 4},
    "sensor": {"type": "perspective", "fov": 40,
               "to_world": T().look_at(origin=[0, -4, 3], target=[0, 0, 0], up=[0, 0, 1]),
               "film": {"type": "hdrfilm", "width": 16, "height": 16, "rfilter": {"type": "box"}},
               "sampler": {"type": "multijitter", "sample_count": 4}},
    "sky": {"type": "constant", "radiance": 0.3},
    "lamp": {"type": "rectangle", "emitter": {"type": "area", "radiance": 5.0},
             "to_world": T().look_at(origin=[1, -1, 4], target=[0, 0, 0], up=[0, 1, 0])},
    "floor": {"type": "rectangle", "bsdf": {"type": "roughplastic", "alpha": 0.2}},
    "box": {"type": "cube", "to_world": T().scale(0.5), "bsdf": {"type": "roughconductor", "material": "Au"}},
})
image = mi.TensorXf(mi.render(scene, spp=4)).numpy()
assert image.shape == (16, 16, 3) and (image >= 0).all() and 0.01 < image.mean() < 100, "wrong pixels"
version = ""
if "llvm" in sys.argv[1]:
    import drjit.detail
    version = ".".join(str(n) for n in drjit.detail.llvm_version())
print("physprobe:" + json.dumps({"llvm_version": version}))
"""


@dataclass(frozen=True)
class Verdict:
    """What became of one candidate.

    Attributes:
        variant: Mitsuba variant that was tried.
        library: path of the libLLVM, or "".
        works: whether it rendered.
        reason: one line, for people.
        llvm_version: as Dr.Jit reports it, or "".
    """

    variant: str
    library: str
    works: bool
    reason: str
    llvm_version: str = ""


@dataclass(frozen=True)
class Choice:
    """The renderer to use here, and why.

    Attributes:
        variant: one of :data:`VARIANTS`.
        llvm_path: libLLVM to hand to Dr.Jit, or "".
        llvm_version: its version, or "".
        reasons: every candidate that was considered, in order; the last one that works was taken.
        advice: the one command that would make rendering faster, or "".
    """

    variant: str
    llvm_path: str
    llvm_version: str
    reasons: tuple[Verdict, ...]
    advice: str


@functools.cache
def choose() -> Choice:
    """Return the fastest Mitsuba variant that renders here: CUDA, else LLVM, else scalar.

    The environment variable PHYSPROBE_VARIANT forces a variant. The first call on a machine probes for a few
    seconds; later ones read the cache file.

    Raises:
        UserError: Mitsuba is missing, PHYSPROBE_VARIANT names no variant, or the variant it names can't work.
    """
    if not _version_of("mitsuba"):
        raise UserError("the renderer Mitsuba 3 is missing; install it: pip install 'physprobe[generation]'")
    forced = os.environ.get(VARIANT_VARIABLE, "").strip()
    if forced and forced not in VARIANTS:
        raise unknown_name(f"variant in {VARIANT_VARIABLE}", forced, VARIANTS)
    choice = _first_working(forced)
    if choice is None:
        raise UserError(f"{VARIANT_VARIABLE}={forced} can't render here; unset it, or see: physprobe doctor")
    return choice


def _first_working(forced: str) -> Choice | None:
    verdicts: list[Verdict] = []
    for variant in (forced,) if forced else VARIANTS:
        for verdict in _verdicts(variant):
            verdicts.append(verdict)
            if verdict.works:
                advice = _advice(variant, bool(forced))
                return Choice(variant, verdict.library, verdict.llvm_version, tuple(verdicts), advice)
    return None


def _verdicts(variant: str) -> Iterator[Verdict]:
    if variant == "scalar_rgb":
        yield Verdict(variant, "", True, "always works, three to five times slower than LLVM")
    elif variant == "cuda_ad_rgb":
        yield _try_cuda()
    else:
        libraries = llvm_candidates()
        if not libraries:
            yield Verdict(variant, "", False, "no libLLVM found")
        for library in libraries:
            yield _try_llvm(library)


def _try_cuda() -> Verdict:
    driver = _nvidia_driver()
    if not driver:
        return Verdict("cuda_ad_rgb", "", False, "no NVIDIA GPU with a driver found")
    return _remembered(_key("cuda_ad_rgb", driver), "cuda_ad_rgb", "")


def _try_llvm(library: str) -> Verdict:
    try:
        status = Path(library).stat()
    except OSError as error:
        return Verdict("llvm_ad_rgb", library, False, f"can't be read: {error.strerror}")
    key = _key("llvm_ad_rgb", f"{library} {status.st_size} {status.st_mtime_ns}")
    return _remembered(key, "llvm_ad_rgb", library)


def llvm_candidates() -> tuple[str, ...]:
    """Return paths of LLVM libraries to try, best first, each file once.

    DRJIT_LIBLLVM_PATH comes first, then the wheel karellen-llvm-core, then installed ones, newest first.
    """
    named = os.environ.get(LLVM_VARIABLE, "").strip()
    paths = [named] if named else []
    paths += _wheel_libraries()
    paths += _installed_libraries()
    seen: set[str] = set()
    unique = []
    for path in paths:
        real = os.path.realpath(path)
        if real not in seen:
            unique.append(path)
        seen.add(real)
    return tuple(unique)


def _wheel_libraries() -> list[str]:
    try:
        files = metadata.files(LLVM_WHEEL) or []
    except metadata.PackageNotFoundError:
        return []
    # The wheel's versionless links only appear once its Python has started: take the file itself.
    found = {Path(str(f.locate())).resolve() for f in files if re.match(r"libLLVM.*\.(so|dylib)", f.name)}
    return sorted(str(path) for path in found if path.is_file())


def _installed_libraries() -> list[str]:
    roots = [Path(pattern).anchor for pattern in _LIBRARY_PATTERNS]
    matches = (
        m for r, p in zip(roots, _LIBRARY_PATTERNS, strict=True) for m in Path(r).glob(p.removeprefix(r))
    )
    found = {os.path.realpath(m) for m in matches}
    return sorted((p for p in found if Path(p).is_file()), key=lambda p: (_version_key(p), p), reverse=True)


def _version_key(path: str) -> tuple[int, ...]:
    """Read the LLVM version from a file name, or from its folder (/usr/lib/llvm-19/lib/libLLVM.so)."""
    numbers = re.search(r"libLLVM\D*(\d+(?:\.\d+)*)", path) or re.search(r"llvm\D?(\d+(?:\.\d+)*)", path)
    return tuple(int(n) for n in numbers.group(1).split(".")) if numbers else ()


def _nvidia_driver() -> str:
    """Return something that names the NVIDIA driver and changes with it, or ""."""
    proc = Path("/proc/driver/nvidia/version")
    if proc.is_file():
        return proc.read_text(errors="replace").strip()
    names = ["/dev/nvidia0", "/dev/dxg", r"C:\Windows\System32\nvcuda.dll"]
    return next((n for n in names if Path(n).exists()), "")


def _remembered(key: str, variant: str, library: str) -> Verdict:
    cache = _read_cache()
    if key not in cache:
        cache[key] = probe(variant, library)
        _write_cache(cache)
    return cache[key]


def probe(variant: str, library: str = "", seconds: float = _PROBE_SECONDS) -> Verdict:
    """Render a tiny image with a variant in a subprocess and tell whether that worked.

    Args:
        variant: Mitsuba variant.
        library: libLLVM for the llvm variants, else "".
        seconds: time after which the subprocess is stopped and the candidate refused.
    """
    environment = {**os.environ, **({LLVM_VARIABLE: library} if library else {})}
    command = [sys.executable, "-c", _PROBE, variant]
    try:
        # A neutral folder, so that no module there shadows a package.
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                command,
                env=environment,
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=seconds,
                check=False,
            )
    except subprocess.TimeoutExpired:
        return Verdict(variant, library, False, f"hung: no image after {seconds:g} s")
    answer = next((line for line in done.stdout.splitlines() if line.startswith("physprobe:")), "")
    if done.returncode == 0 and answer:
        version = json.loads(answer.removeprefix("physprobe:"))["llvm_version"]
        named = f"LLVM {version} renders" if version else "renders"
        return Verdict(variant, library, True, named, version)
    return Verdict(variant, library, False, _failure(done.returncode, done.stderr))


def _failure(code: int, stderr: str) -> str:
    lines = [" ".join(line.split()) for line in stderr.splitlines() if line.strip()]
    told = next(
        (line for line in lines if "LLVM" in line and "rror" in line), lines[-1] if lines else "no message"
    )
    return f"{f'aborted by signal {-code}' if code < 0 else 'failed'}: {told[:160]}"


def _advice(variant: str, is_forced: bool) -> str:
    """Return the command that would bring a faster variant, or ""."""
    if variant != "scalar_rgb":
        return ""
    if is_forced:
        return f"unset {VARIANT_VARIABLE}"
    system, machine = platform.system(), platform.machine()
    if system == "Linux" and machine == "x86_64" and not _version_of(LLVM_WHEEL):
        return f"pip install {LLVM_WHEEL}"
    return {"Linux": "sudo apt-get install libllvm19", "Darwin": "brew install llvm"}.get(system, "")


def _key(variant: str, what: str) -> str:
    versions = f"mitsuba {_version_of('mitsuba')} drjit {_version_of('drjit')}"
    return f"{variant} | {what} | {versions} | {processor()}"


def _version_of(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


@functools.cache
def processor() -> str:
    """Return the model name of the CPU."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def cache_file() -> Path:
    """Return where verdicts are remembered: physprobe/renderer.json in the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG specification says to ignore relative paths.
    root = Path(base) if Path(base).is_absolute() else Path.home() / ".cache"
    return root / "physprobe" / "renderer.json"


def _read_cache() -> dict[str, Verdict]:
    try:
        cache = json.loads(cache_file().read_text())
    except (OSError, ValueError):
        return {}
    fields = set(Verdict.__dataclass_fields__)
    entries: Mapping[str, object] = cache if isinstance(cache, dict) else {}
    return {k: Verdict(**v) for k, v in entries.items() if isinstance(v, dict) and set(v) == fields}


def _write_cache(cache: Mapping[str, Verdict]) -> None:
    """Save the verdicts; a cache folder that can't be written only costs time."""
    path = cache_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".renderer-")
        with os.fdopen(handle, "w") as file:
            json.dump({k: asdict(v) for k, v in cache.items()}, file, indent=1, sort_keys=True)
        Path(temporary).replace(path)
    except OSError:
        return
