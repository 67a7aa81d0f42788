import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"

/** How far a start is. */
export type Phase = "before PostgreSQL" | "initdb" | "PostgreSQL starts" | "migration" | "listening"

/** Tells by the files of a DATA_DIR how far a start is that does not listen yet. `halfMade` clusters were there before it. */
export async function phaseOf(dataDir: string, halfMade: number): Promise<Phase> {
  const home = join(dataDir, "postgres")
  if (!existsSync(join(home, "cluster")))
    return (await countHalfMade(dataDir)) > halfMade ? "initdb" : "before PostgreSQL"
  const pidFile = await readFile(join(home, "cluster", "postmaster.pid"), "utf8").catch(() => undefined)
  if (pidFile === undefined) return "before PostgreSQL"
  return /\bready\b/.test(pidFile) ? "migration" : "PostgreSQL starts"
}

/** Clusters that initdb has not finished. */
export async function countHalfMade(dataDir: string): Promise<number> {
  const names = await readdir(join(dataDir, "postgres")).catch(() => [])
  return names.filter((name) => name.startsWith("cluster-")).length
}
