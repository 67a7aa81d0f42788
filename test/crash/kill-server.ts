import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import type { Cluster } from "../../../packages/server/src/postgres/cluster.ts"

const LOOK_AGAIN_MS = 5

/**
 * Kills the PostgreSQL of a cluster with -9: its first process, and on request all of the others at the same moment, which otherwise end by
 * themselves a little later and meanwhile hold what the next server needs. Does nothing where none runs.
 */
export async function killServer({ home }: Pick<Cluster, "home">, withChildren: boolean): Promise<void> {
  const text = await readIfThere(join(home.cluster, "postmaster.pid"))
  const pid = Number.parseInt(text?.split("\n")[0] ?? "", 10)
  if (!(pid > 0) || !(await isServer(pid, home.cluster))) return
  const children = withChildren ? await childrenOf(pid) : []
  for (const each of [pid, ...children]) kill(each)
  while (await isServer(pid, home.cluster)) await wait(LOOK_AGAIN_MS)
}

/** Its processes are sessions of their own, so no group holds them all. Linux alone lists them without a program. */
async function childrenOf(pid: number): Promise<number[]> {
  const text = (await readIfThere(`/proc/${pid}/task/${pid}/children`)) ?? ""
  return text.split(" ").filter(Boolean).map(Number)
}

/** Where nothing tells what a process is, the file that names it is believed. */
async function isServer(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === "linux")
    return ((await readIfThere(`/proc/${pid}/cmdline`)) ?? "").includes(`-D\0${cluster}\0`)
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL")
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error
  }
}

const readIfThere = (path: string): Promise<string | undefined> => readFile(path, "utf8").catch(() => undefined)
