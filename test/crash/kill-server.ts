import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import type { Cluster } from "@restwell/postgres"

const LOOK_AGAIN_MS = 5

/**
 * Kills the first process of a PostgreSQL with -9, if it runs. Its other processes end by themselves a little later, and until then keep
 * resources that the next server needs. With `withChildren` they are killed at the same moment. Returns whether it ran.
 */
export async function killServer({ home }: Pick<Cluster, "home">, withChildren: boolean): Promise<boolean> {
  const text = await readIfThere(join(home.cluster, "postmaster.pid"))
  const pid = Number.parseInt(text?.split("\n")[0] ?? "", 10)
  if (!(pid > 0) || !(await isServer(pid, home.cluster))) return false
  const children = withChildren ? await childrenOf(pid) : []
  for (const each of [pid, ...children]) kill(each)
  while (await isServer(pid, home.cluster)) await wait(LOOK_AGAIN_MS)
  return true
}

/** The other processes lead their own sessions, so no process group contains them all. Only Linux lists them in files. */
async function childrenOf(pid: number): Promise<number[]> {
  const text = (await readIfThere(`/proc/${pid}/task/${pid}/children`)) ?? ""
  return text.split(" ").filter(Boolean).map(Number)
}

/** On other systems, any process with that id is taken for the server. */
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
