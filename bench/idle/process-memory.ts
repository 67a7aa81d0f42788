import { readdir, readFile } from "node:fs/promises"

/** Memory of one process, KiB. */
export interface ProcessMemory {
  readonly pid: number
  /** Its program's title, like `postgres: checkpointer`. */
  readonly title: string
  /** Proportional set size: private pages, and its share of the pages that several processes have in memory. */
  readonly pssKib: number
  /** Private pages alone. */
  readonly privateKib: number
  /** Time of a core that it has used since its start, seconds. */
  readonly coreSeconds: number
}

/** Linux counts time in hundredths of a second. */
const TICKS_PER_SECOND = 100

/** The memory of a process and of all that it started, itself first. Linux only. */
export async function memoryOfTree(root: number): Promise<ProcessMemory[]> {
  return (await Promise.all((await treeOf(root)).map(memoryOf))).flat()
}

/** Time of a core that a process and all that it started have used, those included that have ended, seconds. Linux only. */
export async function coreSecondsOfTree(root: number): Promise<number> {
  const stats = await Promise.all(
    (await treeOf(root)).map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")),
  )
  return stats.reduce((sum, stat) => sum + secondsIn(stat, 4), 0)
}

async function treeOf(root: number): Promise<readonly number[]> {
  const parents = await readParents()
  const tree = [root]
  for (const pid of tree) tree.push(...[...parents].flatMap(([child, parent]) => (parent === pid ? [child] : [])))
  return tree
}

/** Of the four times of a process: user, system, and both of its children that ended. */
function secondsIn(stat: string, times: 2 | 4): number {
  // The program's name before it may have spaces.
  const fields = stat.replace(/^.*\) /s, "").split(" ")
  return fields.slice(11, 11 + times).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
}

/** Nothing of a process that has ended meanwhile, as PostgreSQL's workers do. */
async function memoryOf(pid: number): Promise<ProcessMemory[]> {
  const [rollup, title, stat] = await Promise.all([
    readFile(`/proc/${pid}/smaps_rollup`, "utf8"),
    readFile(`/proc/${pid}/cmdline`, "utf8"),
    readFile(`/proc/${pid}/stat`, "utf8"),
  ]).catch(() => ["", "", ""])
  if (!rollup) return []
  const kib = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(rollup)?.[1] ?? 0)
  return [
    {
      pid,
      title: title.replaceAll("\0", " ").trim(),
      pssKib: kib("Pss"),
      privateKib: kib("Private_Clean") + kib("Private_Dirty"),
      coreSeconds: secondsIn(stat, 2),
    },
  ]
}

/** The parent of each process. */
async function readParents(): Promise<ReadonlyMap<number, number>> {
  const pids = (await readdir("/proc")).map(Number).filter((pid) => pid > 0)
  const pairs = pids.map(async (pid): Promise<[number, number]> => {
    // A process that ended meanwhile has no parent.
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "")
    return [pid, Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1] ?? 0)]
  })
  return new Map(await Promise.all(pairs))
}
