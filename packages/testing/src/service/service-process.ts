import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process"
import { once } from "node:events"
import { type FileHandle, open } from "node:fs/promises"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { setTimeout as wait } from "node:timers/promises"
import type { Role } from "@restwell/server/config"
import { z } from "zod"
import { METRICS_ENVIRONMENT, OPEN_SIGN_UP } from "./environment.ts"

const PROGRAM = new URL(import.meta.resolve("@restwell/server/bin")).pathname

export interface CommandOptions extends SpawnOptions {
  /** Path of `restwell.js`. @default the repository's */
  readonly program?: string | undefined
}

/** What programs take from the environment of the tests: PATH, and the cache without which each start compiles every file again. */
export function programEnvironment(): Readonly<Record<string, string>> {
  const { PATH = "", NODE_COMPILE_CACHE } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) }
}

/** Starts a `restwell` command, with nothing in its environment but `programEnvironment` and the given variables. */
export function spawnCommand(
  commandLine: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  { program = PROGRAM, ...options }: CommandOptions = {},
): ChildProcess {
  return spawn(process.execPath, [program, ...commandLine], {
    stdio: ["ignore", "pipe", "pipe"],
    ...options,
    env: { ...programEnvironment(), ...environment },
  })
}

/** Runs a `restwell` command to its end. `output` is all that it printed, `errors` the part on standard error. */
export async function runCommand(
  commandLine: readonly string[],
  environment: Readonly<Record<string, string>>,
  options: CommandOptions = {},
): Promise<{ readonly code: number; readonly output: string; readonly errors: string }> {
  const child = spawnCommand(commandLine, environment, options)
  let output = ""
  let errors = ""
  child.stdout?.on("data", (text) => {
    output += text
  })
  child.stderr?.on("data", (text) => {
    output += text
    errors += text
  })
  const [code] = await once(child, "close")
  return { code: Number(code), output, errors }
}

const LOOK_AGAIN_MS = 5
const LAST_LINES = 20
const RunningSchema = z.object({ msg: z.literal("Restwell is running"), listening: z.url() })

/** The service as an operator runs it: a process of its own. */
export interface ServiceProcess {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** From the start of the program until it was ready. */
  readonly startMs: number
  /** The lines that it logged; empty with a log file. */
  readonly log: string[]
  /** What it wrote to standard error. */
  readonly errors: () => string
  readonly isRunning: () => boolean
  /** Resolves when it has ended, with its exit code or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>
  /** Sends a signal and waits for the end. @default SIGTERM */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

export interface ServiceProcessOptions {
  readonly environment: Readonly<Record<string, string>>
  /** @default "all" */
  readonly role?: Role
  /** A reserved port; needed with a log file, or when the service logs warnings alone. @default any free port */
  readonly port?: number
  /** A file that the log is appended to, instead of being kept in memory. */
  readonly logFile?: string
  /** Path of `restwell.js`, as of an installed package. @default the repository's */
  readonly program?: string | undefined
}

/** Starts a service and waits until it is ready. @throws with what it printed when it ends instead */
export async function startServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const { role = "all", port: reserved, logFile } = options
  await using logTo = logFile === undefined ? undefined : await open(logFile, "a")
  const startedAt = performance.now()
  const child = launch(options, role, logTo)
  const log: string[] = []
  let errors = ""
  child.stderr?.on("data", (chunk) => {
    errors += chunk
  })
  const ended = endOf(child)
  const failed = ended.then((by) => {
    throw new Error(`the service ended with ${by}: ${errors}${log.slice(-LAST_LINES).join("\n")}`)
  })
  const logged = collectLines(child.stdout, log)
  const ready = async (): Promise<number> => {
    const port = reserved ?? (await logged)
    await untilReady(`http://localhost:${port}/readyz`, child)
    return port
  }
  const port = await Promise.race([ready(), failed])
  failed.catch(() => {})
  return {
    url: `http://localhost:${port}`,
    port,
    pid: child.pid ?? Number.NaN,
    startMs: performance.now() - startedAt,
    log,
    errors: () => errors,
    isRunning: () => isRunning(child),
    ended,
    stop(signal = "SIGTERM") {
      child.kill(signal)
      return ended
    },
  }
}

function launch({ environment, port = 0, program }: ServiceProcessOptions, role: Role, logTo?: FileHandle) {
  return spawnCommand(
    ["start", "--role", role],
    { PORT: String(port), ...METRICS_ENVIRONMENT, ...OPEN_SIGN_UP, ...environment },
    {
      program,
      stdio: ["ignore", logTo?.fd ?? "pipe", "pipe"],
      // With a log file it belongs to a benchmark, which stops it after Ctrl-C: a second signal would cut its drain off.
      detached: logTo !== undefined,
    },
  )
}

/** Collects lines. Resolves with the port that the service says it listens on. */
function collectLines(output: Readable | null, log: string[]): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  if (!output) return promise
  createInterface(output).on("line", (line) => {
    log.push(line)
    if (!line.includes("Restwell is running")) return
    resolve(Number(new URL(RunningSchema.parse(JSON.parse(line)).listening).port))
  })
  return promise
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const isReady = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
  while (isRunning(child) && !(await isReady())) await wait(LOOK_AGAIN_MS)
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

async function endOf(child: ChildProcess): Promise<number | NodeJS.Signals> {
  const [code, signal] = await once(child, "close")
  return code ?? signal
}

/** Lines of a log without those of answered requests: what an operator would have to read. */
export const linesBesideRequests = (log: readonly string[]): string[] =>
  log.filter((line) => !line.includes('"msg":"answered"'))
