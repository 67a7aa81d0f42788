import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { glob, lstat, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as wait } from "node:timers/promises"
import { promisify } from "node:util"
import { reservePort } from "@restwell/testing/port"
import { z } from "zod"
import { writePackage } from "../../scripts/package.ts"

const run = promisify(execFile)
const MEGABYTE = 1_000_000
const LONGEST_STOP_SECONDS = 40
const AnswerSchema = z.object({ records: z.array(z.object({ source: z.string() })).min(1) })

/** What somebody sees who has npm and the package's file alone. */
export interface Tried {
  readonly installSeconds: number
  readonly megabytes: number
  readonly megabytesWithoutNode: number
  /** Records that the demo's curl line returned. */
  readonly records: number
  /** After SIGTERM no process of the demo was left. */
  readonly endsWhole: boolean
  readonly version: string
}

/** The environment of a shell outside the repository: without npm's variables, and with the machine's own Node.js. */
function outside(cache: string | undefined): Record<string, string> {
  const { PATH = "", HOME = "", npm_config_registry: registry } = process.env
  return {
    PATH: PATH.split(":")
      .filter((folder) => !folder.includes("node_modules"))
      .join(":"),
    HOME,
    ...(registry && { npm_config_registry: registry }),
    ...(cache && { npm_config_cache: cache }),
  }
}

/** Installs the package in an empty folder and runs `npx restwell demo` and the line that it prints. */
export async function tryPackage(folder: string, cache?: string): Promise<Tried> {
  const file = await writePackage(folder)
  const app = join(folder, "app")
  await mkdir(app)
  await writeFile(join(app, "package.json"), "{}\n")
  const environment = outside(cache)
  const startedAt = performance.now()
  await run("npm", ["install", "--prefer-offline", file], { cwd: app, env: environment })
  const installSeconds = (performance.now() - startedAt) / 1000
  const bytes = await sizeOf(join(app, "node_modules"))
  const nodeBytes = await sizeOf(join(app, "node_modules", `node-${process.platform}-${process.arch}`))
  const { stdout: version } = await run("npx", ["restwell", "--version"], { cwd: app, env: environment })
  return {
    installSeconds,
    megabytes: bytes / MEGABYTE,
    megabytesWithoutNode: (bytes - nodeBytes) / MEGABYTE,
    version: version.trim(),
    ...(await runDemo(app, environment)),
  }
}

async function runDemo(app: string, environment: Record<string, string>) {
  using reserved = reservePort()
  const env = { ...environment, PORT: String(reserved.port) }
  // A group of its own, as a terminal makes one: nothing of it may stay.
  const demo = spawn("npx", ["restwell", "demo"], { cwd: app, env, detached: true, stdio: ["ignore", "pipe", "pipe"] })
  const ended = once(demo, "exit")
  let printed = ""
  demo.stderr.on("data", (text) => {
    printed += text
  })
  try {
    const { promise: line, resolve } = Promise.withResolvers<string>()
    createInterface(demo.stdout).on("line", (text) => {
      printed += `${text}\n`
      if (text.trim().startsWith("curl ")) resolve(text.trim())
    })
    const failed = ended.then(() => Promise.reject(new Error(`the demo ended: ${printed}`)))
    const { stdout } = await run("bash", ["-c", `${await Promise.race([line, failed])} --silent --fail-with-body`])
    const { records } = AnswerSchema.parse(JSON.parse(stdout))
    signalGroup(demo.pid, "SIGTERM")
    await ended
    return { records: records.length, endsWhole: await endsWithin(demo.pid) }
  } finally {
    signalGroup(demo.pid, "SIGKILL")
  }
}

/** The service ends after npx does, once its PostgreSQL has stopped. */
async function endsWithin(group: number | undefined, seconds = LONGEST_STOP_SECONDS): Promise<boolean> {
  for (let waited = 0; waited < seconds; waited++) {
    if (!signalGroup(group, 0)) return true
    await wait(1000)
  }
  return false
}

/** False if the group has no process. */
function signalGroup(group: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (group === undefined) return false
  try {
    return process.kill(-group, signal)
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false
    throw error
  }
}

/** As `du` counts: whole blocks. */
async function sizeOf(folder: string): Promise<number> {
  const BLOCK = 512
  let bytes = 0
  for await (const path of glob("**", { cwd: folder })) bytes += (await lstat(join(folder, path))).blocks * BLOCK
  return bytes
}
