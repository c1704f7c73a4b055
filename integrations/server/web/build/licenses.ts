// A file with the licences of all packages whose code is in the bundle.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Plugin } from "vite";

interface Package {
  name: string;
  version: string;
  license?: string;
}

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
      const source = [...texts.values()].sort().join(`\n${"-".repeat(80)}\n\n`);
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
  const { name, version, license } = readPackage(folder);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
  const missing = `The package has no file with its licence. Its licence is ${license}.`;
  return [`${name} ${version} (${license})`, ...(texts.length > 0 ? texts : [missing])].join("\n\n") + "\n";
}
