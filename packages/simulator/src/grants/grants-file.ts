/** Keeps the grants in a file, so that connections outlive a restart of the simulator. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import type { Grants, KeptPair } from "./grants.ts"

/** Restores what the file holds, then writes it again after every change. */
export function keepGrantsIn(path: string, grants: Grants): void {
  for (const pair of readPairs(path)) grants.restore(pair)
  grants.onChange(() => writePairs(path, grants.pairs()))
}

function readPairs(path: string): KeptPair[] {
  try {
    const pairs: KeptPair[] = JSON.parse(readFileSync(path, "utf8"))
    return pairs
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return []
    throw error
  }
}

/** Written beside and renamed, so that a crash leaves the old file or the new one. */
function writePairs(path: string, pairs: readonly KeptPair[]): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, JSON.stringify(pairs), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}
