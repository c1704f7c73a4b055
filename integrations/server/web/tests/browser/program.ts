// An example that serves, while a test runs.

import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

export const ROOT = join(import.meta.dirname, "../../../../..");

/** Where cargo puts what it builds. */
export const TARGET = process.env["CARGO_TARGET_DIR"] ?? join(ROOT, "target");

export class Program {
  readonly url: string;
  readonly #program: ChildProcess;

  private constructor(program: ChildProcess, url: string) {
    this.#program = program;
    this.url = url;
  }

  static async start(name: string, ...given: string[]): Promise<Program> {
    const file = join(TARGET, "debug/examples", name);
    if (!existsSync(file)) throw new Error(`${file} is not there: cargo build --package toolwright-server --examples`);
    // It ends when its input does, so that it is gone with this process whatever happens.
    const program = spawn(file, given, { stdio: ["pipe", "pipe", "inherit"] });
    const url = await new Promise<string>((resolve, reject) => {
      // It is read to its end: who writes into a pipe that nobody reads fails.
      createInterface({ input: program.stdout })
        .on("line", (line) => {
          const url = /http:\S+/.exec(line)?.[0];
          if (url !== undefined) resolve(url);
        })
        .on("close", () => reject(new Error("the program has ended before it said where it is")));
    });
    return new Program(program, url);
  }

  /** Ends it as it ends by itself, or at once. */
  async stop(how: "ended" | "killed" = "ended"): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#program.once("exit", () => resolve()));
    if (how === "killed") this.#program.kill("SIGKILL");
    else this.#program.stdin?.end();
    await ended;
  }
}
