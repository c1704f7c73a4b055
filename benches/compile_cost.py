#!/usr/bin/env python3
"""What tools cost to compile, beside the same tools written by hand with serde and schemars.

Usage: benches/compile_cost.py [--tools 1,20,100,400] [--rounds 3] [--beside floor]

For each number of tools two packages are generated: `floor` by `measure/gen_tools.py`, and `ours`,
the same types and functions with this crate's macros, a third of them functions, a third methods, a
third structs. A figure is the user CPU time of a command that compiles that one package, its dependencies
being built before, less that of the same command with nothing to do; every round runs both sides,
and the ratio is that of the least times. The last rows compile nine levels of types, each with three fields of the next.

`--beside rmcp` has the tools of a server by `rmcp`'s macros in the place of those by hand.
"""

import argparse
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
WORK = ROOT / "target" / "compile-cost"

sys.path.insert(0, str(HERE / "measure"))
sys.dont_write_bytecode = True
import gen_tools  # noqa: E402

DERIVES = "::serde::Deserialize"


def ours_types(k):
    """The nested types of tool `k`, with our derive in the place of schemars'."""
    return gen_tools.sub_types(k, "").replace("::schemars::JsonSchema", "::toolwright::ToolInput")


def documented(k, separator):
    fields = gen_tools.FIELDS
    return "".join(f"/// {d}\n{n}: {t.format(k=k)}{separator}\n" for n, t, d in fields)


def function(k):
    return (
        f"/// Books a trip, variant {k}.\n#[::toolwright::tool]\n"
        f"pub async fn tool_{k}({documented(k, ',')}) -> String {{ {used('')} }}\n"
    )


def method(k):
    return (
        f"/// Books a trip, variant {k}.\n#[tool]\n"
        f"pub async fn tool_{k}(&self, {documented(k, ',')}) -> String {{ {used('')} }}\n"
    )


def struct(k):
    return (
        f"/// Books a trip, variant {k}.\n#[derive({DERIVES}, ::toolwright::Tool)]\n"
        f'#[tool(name = "tool_{k}")]\npub struct Tool{k} {{ {documented(k, ",")} }}\n'
        f"impl ::toolwright::Execute for Tool{k} {{ type Output = String;\n"
        "async fn execute(self, _: &::toolwright::ToolContext)"
        " -> Result<String, ::toolwright::ToolError> {\n"
        f"let _ = (&self.origin, &self.passengers, self.flexible, &self.tags, &self.contact);\n"
        f"Ok({gen_tools.body('self.')}) }} }}\n"
    )


def used(prefix):
    return f"let _ = (&origin, &passengers, flexible, &tags, &contact); {gen_tools.body(prefix)}"


def ours(n):
    """Every third tool in each of the three forms."""
    out = [ours_types(k) for k in range(n)]
    out += [function(k) for k in range(0, n, 3)]
    out += [struct(k) for k in range(2, n, 3)]
    methods = "".join(method(k) for k in range(1, n, 3))
    listed = [f"tool_{k}" for k in range(0, n, 3)] + [f"Tool{k}" for k in range(2, n, 3)]
    merged = ""
    if methods:
        out.append(f"pub struct Desk;\n#[::toolwright::tools]\nimpl Desk {{\n{methods}}}\n")
        merged = ".merge(Desk.into_tools()).unwrap()"
    out.append(
        f"pub fn startup() -> usize {{ let t = ::toolwright::toolset![{', '.join(listed)}]{merged};\n"
        "let bytes = t.definitions().map(|d| d.input_schema.as_str().len()).sum();\n"
        "::std::hint::black_box(&t); bytes }\n"
    )
    return "".join(out)


def chain(derive, crate, end):
    """Nine levels of types with three fields of the next."""
    out = []
    for level in range(9):
        ty = f"Level{level + 1}" if level < 8 else "u8"
        fields = "".join(f"/// One of three.\npub {name}: {ty},\n" for name in "abc")
        out.append(
            f"#[derive(Debug, Clone, Default, ::serde::Serialize, ::serde::Deserialize, {derive})]\n"
            f"pub struct Level{level} {{ {fields} }}\n"
        )
    return "".join(out) + end


SHARED = {
    "floor": chain(
        "::schemars::JsonSchema",
        "",
        "pub fn startup() -> usize {"
        " ::serde_json::to_string(&::schemars::schema_for!(Level0)).unwrap().len() }\n"
        "pub fn decode(text: &str) -> Result<Level0, ::serde_json::Error>"
        " { ::serde_json::from_str(text) }\n",
    ),
    "ours": chain(
        "::toolwright::ToolInput",
        "",
        "/// Takes a deep value.\n#[::toolwright::tool]\n"
        "pub async fn take(/** The value. */ value: Level0) -> String { format!(\"{value:?}\") }\n"
        "pub fn startup() -> usize { let t = ::toolwright::toolset![take];\n"
        "t.definitions().map(|d| d.input_schema.as_str().len()).sum() }\n",
    ),
}

DEPENDENCIES = {
    "floor": 'schemars = "1"\n',
    "rmcp": 'schemars = "1"\n'
    'rmcp = { version = "=3.11.0", default-features = false, features = ["macros", "server"] }\n',
    "ours": f'toolwright = {{ path = "{ROOT}" }}\n',
}


def package(side, name, text):
    """Writes a package, and gives its folder."""
    folder = WORK / side / name
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / "Cargo.toml").write_text(
        f'[package]\nname = "{name}"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n'
        f"[dependencies]\n{DEPENDENCIES[side]}"
        'serde = { version = "1", features = ["derive"] }\nserde_json = "1"\n'
    )
    (folder / "src" / "lib.rs").write_text(text)
    return folder


def cargo(side, folder, *arguments):
    """Runs cargo, and gives the user CPU seconds of it and what it started."""
    command = ["cargo", *arguments, "--quiet", "--offline", "--target-dir", str(WORK / side / "target")]
    process = subprocess.Popen(command, cwd=folder)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"`{' '.join(command)}` failed in {folder}")
    return usage.ru_utime


def clean(side, folder, command):
    cargo(side, folder, "clean", "--package", folder.name)
    return alone(side, folder, command)


def touched(side, folder, command):
    (folder / "src" / "lib.rs").touch()
    return alone(side, folder, command)


def alone(side, folder, command):
    """The seconds of a command without those of cargo, which finds nothing to do the second time."""
    return cargo(side, folder, command) - cargo(side, folder, command)


def compare(name, texts, rounds):
    """Prints a row for each command, clean and after a touch."""
    folders = {side: package(side, name, text) for side, text in texts.items()}
    for side, folder in folders.items():
        subprocess.run(["cargo", "fetch", "--quiet"], cwd=folder, check=True)
        for command in ("check", "build"):
            cargo(side, folder, command)
    for command in ("check", "build"):
        for how, run in (("clean", clean), ("touched", touched)):
            least = {}
            for turn in range(rounds):
                sides = list(folders) if turn % 2 == 0 else list(folders)[::-1]
                for side in sides:
                    seconds = run(side, folders[side], command)
                    least[side] = min(seconds, least.get(side, seconds))
            other = next(iter(texts))
            ratio = least["ours"] / least[other]
            print(
                f"| {name.replace('_', ' ')} | `cargo {command}`, {how} "
                f"| {least[other]:.2f} | {least['ours']:.2f} | {ratio:.2f} |",
                flush=True,
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", default="1,20,100,400")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--beside", choices=["floor", "rmcp"], default="floor")
    chosen = parser.parse_args()
    print(f"| tools | command | {chosen.beside}, s | ours, s | ratio |\n| --- | --- | --: | --: | --: |")
    for n in map(int, chosen.tools.split(",")):
        texts = {chosen.beside: getattr(gen_tools, chosen.beside)(n), "ours": ours(n)}
        compare(f"tools_{n}", texts, chosen.rounds)
    if chosen.beside == "floor":
        compare("shared_parts", SHARED, chosen.rounds)


if __name__ == "__main__":
    main()
