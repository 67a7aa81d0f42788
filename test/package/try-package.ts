import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { access, glob, lstat, mkdir, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as wait } from "node:timers/promises"
import { promisify } from "node:util"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Member } from "@restwell/testing/member"
import { reservePort } from "@restwell/testing/port"
import { z } from "zod"
import { writePackage } from "../../scripts/package.ts"

const run = promisify(execFile)
const MEGABYTE = 1_000_000
const LONGEST_STOP_SECONDS = 40
const SetUpSchema = z.object({ setup: z.url() })
const AccountSchema = z.object({ local_program: z.object({ command: z.string(), args: z.array(z.string()) }) })
const AnswerSchema = z.object({ records: z.array(z.object({ source: z.string() })).min(1) })

/** What somebody sees who has npm and the package's file alone. */
export interface Tried {
  readonly installSeconds: number
  readonly megabytes: number
  readonly megabytesWithoutNode: number
  /** Records that the demo's curl line returned. */
  readonly records: number
  /** Tools that the command for Claude Desktop offers. */
  readonly tools: number
  /** After SIGTERM no process of the demo or the service was left. */
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

/** Installs the package in an empty folder, runs `npx restwell demo` and the line that it prints, then `npx restwell start`. */
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
  const { stdout: help } = await run("npx", ["restwell", "--help"], { cwd: app, env: environment })
  await access(/\S+settings\.md/.exec(help)?.[0] ?? "no page about settings")
  for (const path of ["docs/operations.md", "deploy/restwell.service"])
    await access(join(app, "node_modules", "restwell", path))
  const place = { app, environment }
  const demo = await whileRunning(place, "demo", (line) => line.trim().startsWith("curl "), readByCurl)
  const service = await whileRunning(place, "start", (line) => line.includes('"setup"'), listToolsAtHome)
  return {
    installSeconds,
    megabytes: bytes / MEGABYTE,
    megabytesWithoutNode: (bytes - nodeBytes) / MEGABYTE,
    version: version.trim(),
    records: demo.result,
    tools: service.result,
    endsWhole: demo.endsWhole && service.endsWhole,
  }
}

/** Runs the line that the demo prints, for a question about the statistics too. Returns the number of records. */
async function readByCurl(line: string): Promise<number> {
  // Statistics run in a thread, whose program the package must have.
  await run("bash", ["-c", `${line.trim().replace(/health\?[^"]+/, "relate?outcome=hrv")} --silent --fail-with-body`])
  const { stdout } = await run("bash", ["-c", `${line.trim()} --silent --fail-with-body`])
  return AnswerSchema.parse(JSON.parse(stdout)).records.length
}

/** Runs the command that the page shows for Claude Desktop, in another folder. Returns the number of tools. */
async function listToolsAtHome(line: string): Promise<number> {
  const { origin: url, hash } = new URL(SetUpSchema.parse(JSON.parse(line)).setup)
  const member = new Member({ url })
  await member.setUp(hash.slice(1))
  const { local_program: program } = AccountSchema.parse(await (await member.send("GET", "/api/account")).json())
  const env = { RESTWELL_URL: url, RESTWELL_API_KEY: await member.newKey() }
  const client = new Client({ name: "desktop", version: "1" })
  await client.connect(new StdioClientTransport({ ...program, env, cwd: tmpdir() }))
  const { tools } = await client.listTools()
  await client.close()
  return tools.length
}

interface Place {
  readonly app: string
  readonly environment: Readonly<Record<string, string>>
}

/** Runs `npx restwell COMMAND`, uses it once it has printed a line, and stops it. */
async function whileRunning<Result>(
  { app, environment }: Place,
  command: string,
  isReady: (line: string) => boolean,
  use: (line: string) => Promise<Result>,
): Promise<{ readonly result: Result; readonly endsWhole: boolean }> {
  using reserved = reservePort()
  const env = { ...environment, PORT: String(reserved.port) }
  // A group of its own, as a terminal makes one: nothing of it may stay.
  const program = spawn("npx", ["restwell", command], {
    cwd: app,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  })
  const ended = once(program, "exit")
  let printed = ""
  program.stderr.on("data", (text) => {
    printed += text
  })
  try {
    const { promise: ready, resolve } = Promise.withResolvers<string>()
    createInterface(program.stdout).on("line", (text) => {
      printed += `${text}\n`
      if (isReady(text)) resolve(text)
    })
    const failed = ended.then(() => Promise.reject(new Error(`restwell ${command} ended: ${printed}`)))
    const result = await use(await Promise.race([ready, failed]))
    failed.catch(() => {})
    signalGroup(program.pid, "SIGTERM")
    await ended
    return { result, endsWhole: await endsWithin(program.pid) }
  } finally {
    signalGroup(program.pid, "SIGKILL")
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
