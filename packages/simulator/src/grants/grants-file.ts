/** Stores the grants in a file, so that connections survive a restart of the simulator. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import type { Grants, StoredPair } from "./grants.ts"

/** Restores the grants from the file, then rewrites the file after every change. */
export function persistGrants(path: string, grants: Grants): void {
  for (const pair of readPairs(path)) grants.restore(pair)
  grants.onChange(() => writePairs(path, grants.pairs()))
}

function readPairs(path: string): StoredPair[] {
  try {
    const pairs: StoredPair[] = JSON.parse(readFileSync(path, "utf8"))
    return pairs
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return []
    throw error
  }
}

/** Writes a new file and renames it, so that a crash leaves either the old or the new content. */
function writePairs(path: string, pairs: readonly StoredPair[]): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, JSON.stringify(pairs), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}
