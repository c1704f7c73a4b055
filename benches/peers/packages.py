"""How many packages an agent with OpenAI's API over HTTP brings along, with TLS as each has it by default.

`python3 benches/peers/packages.py`; the versions are those of `Cargo.lock`.
"""

import pathlib
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BASE = 'serde = { version = "1", features = ["derive"] }\ntokio = { version = "1", features = ["macros", "rt"] }\n'
CONTESTANTS = {
    "by hand": 'reqwest = "=0.13.5"\nserde_json = "1"',
    "toolwright": f'toolwright = {{ path = "{HERE.parents[1]}", features = ["http"] }}',
    "rig": 'rig = "=0.44.0"',
    "swiftide": 'swiftide = { version = "=0.32.1", features = ["openai", "swiftide-agents"] }',
    "genai": 'genai = "=0.7.2"\nserde_json = "1"',
}
PACKAGE = '[package]\nname = "counted"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n[dependencies]\n'

for name, dependencies in CONTESTANTS.items():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "src").mkdir()
        (folder / "src/lib.rs").touch()
        (folder / "Cargo.toml").write_text(PACKAGE + BASE + dependencies + "\n")
        shutil.copy(HERE / "Cargo.lock", folder)
        tree = ["cargo", "tree", "--edges", "no-dev", "--prefix", "none", "--format", "{p}"]
        lines = subprocess.run(tree, cwd=folder, check=True, capture_output=True, text=True).stdout.splitlines()
        packages = {line.removesuffix(" (*)") for line in lines} - {lines[0]}
        print(f"{name}: {len(packages)} packages")
