import { execFile } from "node:child_process"
import { readdir, readFile, readlink } from "node:fs/promises"
import { promisify } from "node:util"

const run = promisify(execFile)

/** The processes that work in a folder or are named with it: PostgreSQL with all its processes, initdb, and their guard. */
export const processesIn = (folder: string): Promise<number[]> =>
  process.platform === "linux" ? readProcesses(folder) : listProcesses(folder)

async function readProcesses(folder: string): Promise<number[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    names.map(async (name) => {
      const commandLine = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "")
      // PostgreSQL's child processes have other command lines.
      const directory = await readlink(`/proc/${name}/cwd`).catch(() => "")
      return commandLine.includes(folder) || directory.startsWith(folder)
    }),
  )
  return names.filter((_, index) => found[index]).map(Number)
}

async function listProcesses(folder: string): Promise<number[]> {
  const { stdout } = await run("ps", ["-ax", "-ww", "-o", "pid=,args="])
  return stdout
    .split("\n")
    .filter((line) => line.includes(folder))
    .map((line) => Number.parseInt(line, 10))
}
