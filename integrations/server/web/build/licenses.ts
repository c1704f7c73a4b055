// A file with the licences of all packages whose code is in the bundle.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Plugin } from "vite";

interface Package {
  name: string;
  version: string;
  license?: string;
  author?: string | { name: string };
}

/** The texts of the licences, which some packages name without a copy: those of this repository, which has both. */
const REPOSITORY = join(import.meta.dirname, "../../../..");
const STANDARD: Record<string, string> = {
  "Apache-2.0": readFileSync(join(REPOSITORY, "LICENSE-APACHE"), "utf8").trim(),
  // Without the line of our copyright.
  MIT: readFileSync(join(REPOSITORY, "LICENSE-MIT"), "utf8").replace(/^Copyright .*\n\n/m, "").trim(),
};
const RULE = `\n${"-".repeat(80)}\n\n`;

export function licenses(fileName: string): Plugin {
  return {
    name: "licenses",
    apply: "build",
    generateBundle(_options, bundle) {
      const texts = new Map<string, string>();
      for (const output of Object.values(bundle)) {
        if (output.type !== "chunk") continue;
        for (const id of Object.keys(output.modules)) {
          const folder = packageOf(id);
          if (folder !== null && !texts.has(folder)) texts.set(folder, license(folder));
        }
      }
      const standard = Object.entries(STANDARD).map(([name, text]) => `The text of the licence ${name}\n\n${text}\n`);
      const source = [...texts.values()].sort().concat(standard).join(RULE);
      this.emitFile({ type: "asset", fileName, source });
    },
  };
}

/** The folder of the package that a module is of; null for modules of our own and of the bundler. */
function packageOf(id: string): string | null {
  const path = id.replace(/^\0/, "").replace(/\?.*$/, "");
  if (!path.includes("/node_modules/")) return null;
  for (let folder = dirname(path); folder.includes("/node_modules/"); folder = dirname(folder)) {
    const file = join(folder, "package.json");
    // Some packages mark folders with a file that has no more than `type`.
    if (existsSync(file) && readPackage(folder).name !== undefined && readPackage(folder).version !== undefined) {
      return folder;
    }
  }
  return null;
}

function readPackage(folder: string): Partial<Package> {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Partial<Package>;
}

function license(folder: string): string {
  const { name, version, license = "no licence", author } = readPackage(folder);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
  if (texts.length === 0) {
    if (!(license in STANDARD)) throw new Error(`${name} has no file with its licence, ${license}: add its text`);
    const holder = (typeof author === "string" ? author : author?.name) ?? `the authors of ${name}`;
    texts.push(`Copyright ${holder}. The package has no file with its licence, whose text is at the end.`);
  }
  return [`${name} ${version} (${license})`, ...texts].join("\n\n") + "\n";
}
