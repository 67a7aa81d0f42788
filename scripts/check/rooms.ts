import { dirname } from "node:path"
import type { SourceFile } from "./source-files.ts"

/** A reader keeps about this number of subjects of the core in mind. */
const MOST_FOLDERS = 14
const CORE = "packages/core/src/"

/** The folders of core are its subjects. The folder of the schema has no TypeScript and counts too. */
export function roomFaults(files: readonly SourceFile[]): string[] {
  const folders = new Set(files.filter(({ path }) => path.startsWith(CORE)).map(({ path }) => dirname(path)))
  folders.delete(CORE.slice(0, -1))
  const count = folders.size + 1
  return count > MOST_FOLDERS ? [`${CORE}: ${count} folders, at most ${MOST_FOLDERS}: merge two subjects`] : []
}
