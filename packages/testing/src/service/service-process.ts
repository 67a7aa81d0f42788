import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { setTimeout as wait } from "node:timers/promises"

const PROGRAM = new URL("../../packages/server/bin/restwell.js", import.meta.url).pathname

const LOOK_MS = 50

/** The service as an operator runs it: a process of its own. */
export interface ServiceProcess {
  readonly url: string
  readonly pid: number
  /** Everything it has logged. */
  readonly log: string[]
  /** What it has written to the terminal. */
  readonly said: () => string
  readonly isRunning: () => boolean
  /** Resolves once it has ended, with its exit code or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

export interface StartedProcess {
  readonly port: number
  readonly environment: Readonly<Record<string, string>>
  readonly role?: "all" | "api" | "worker"
  /** It logs too little to say that it runs: it is asked. */
  readonly isQuiet?: boolean
}

/** What every replica on one database is given. */
export const replicaEnvironment = (databaseUrl: string, vendorUrl: string): Readonly<Record<string, string>> => ({
  DATABASE_URL: databaseUrl,
  RESTWELL_SECRET: "a secret of at least thirty-two characters",
  ...vendorEnvironment(vendorUrl),
})

export const vendorEnvironment = (vendorUrl: string): Readonly<Record<string, string>> => ({
  WHOOP_CLIENT_ID: "simulator-client",
  WHOOP_CLIENT_SECRET: "simulator-secret",
  WHOOP_BASE_URL: vendorUrl,
  WHOOP_CALLS_PER_MINUTE: "1000000",
  WHOOP_CALLS_PER_DAY: "1000000",
  FREE_MONTHLY_REQUESTS: "1000000",
})

/** Starts a service and waits until it says that it runs. @throws with what it said when it ends instead */
export async function startProcess({
  port,
  environment,
  role = "all",
  isQuiet = false,
}: StartedProcess): Promise<ServiceProcess> {
  const { PATH = "" } = process.env
  const child = spawn(process.execPath, [PROGRAM, "start", "--role", role], {
    env: { PATH, PORT: String(port), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const log: string[] = []
  let said = ""
  child.stderr.on("data", (chunk) => {
    said += chunk
  })
  const ended = endOf(child)
  const { promise: running, resolve } = Promise.withResolvers<void>()
  createInterface(child.stdout).on("line", (line) => {
    log.push(line)
    if (line.includes("Restwell is running")) resolve()
  })
  const failed = ended.then((by) => {
    throw new Error(`the service ended with ${by}: ${said}${log.slice(-20).join("\n")}`)
  })
  await Promise.race([isQuiet ? untilReady(`http://localhost:${port}/readyz`) : running, failed])
  failed.catch(() => {})
  return {
    url: `http://localhost:${port}`,
    pid: child.pid ?? Number.NaN,
    log,
    said: () => said,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    ended,
    stop(signal = "SIGTERM") {
      child.kill(signal)
      return ended
    },
  }
}

async function untilReady(url: string): Promise<void> {
  const isReady = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) await wait(LOOK_MS)
}

async function endOf(child: ChildProcess): Promise<number | NodeJS.Signals> {
  const [code, signal] = await once(child, "close")
  return code ?? signal
}

/** Lines of a log that are not one of the requests it answered: what an operator would have to read. */
export const linesBeside = (log: readonly string[]): string[] =>
  log.filter((line) => !line.includes('"msg":"answered"'))
