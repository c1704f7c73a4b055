import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { type Rolldown, build } from "vite";

const WEB = join(import.meta.dirname, "../..");
const FILE = "THIRD-PARTY-LICENSES.txt";
const RULE = `\n${"-".repeat(80)}\n\n`;

/** Packages in the bundle of the page, by the paths of the modules that it has. */
function bundled(output: Rolldown.RolldownOutput): string[] {
  const names = new Set<string>();
  for (const part of output.output) {
    if (part.type !== "chunk") continue;
    for (const id of part.moduleIds) {
      const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/s.exec(id)?.[1];
      if (name !== undefined) names.add(name);
    }
  }
  return [...names].sort();
}

test("each bundled package has its licence in the file", async () => {
  const output = (await build({ root: WEB, logLevel: "silent", build: { write: false } })) as Rolldown.RolldownOutput;
  const names = bundled(output);
  assert.ok(names.includes("react-dom") && names.includes("ai"), names.join());

  const committed = readFileSync(join(WEB, "dist", FILE), "utf8");
  const asset = output.output.find((part) => part.fileName === FILE);
  assert.ok(asset?.type === "asset" && asset.source === committed, `${FILE} is not that of the sources: npm run build`);

  const sections = committed.split(RULE).filter((text) => !text.startsWith("The text of the licence "));
  // Two packages of one name and different versions are two sections.
  const listed = new Set(sections.map((text) => text.slice(0, text.indexOf(" "))));
  assert.deepEqual([...listed].sort(), names);
  for (const section of sections) {
    const licence = /\((.*)\)/.exec(section)?.[1];
    const elsewhere = committed.includes(`The text of the licence ${licence}\n`);
    const here = /permission|redistribution/i.test(section);
    assert.ok(/copyright/i.test(section) && (here || elsewhere), section);
  }
});
