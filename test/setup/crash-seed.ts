import type { TestProject } from "vitest/node"

/** Prints the seed of the moments of the kills, which repeats a run. */
export function setup({ config }: TestProject): void {
  process.stdout.write(`CRASH_SEED=${config.env["CRASH_SEED"]}\n`)
}
