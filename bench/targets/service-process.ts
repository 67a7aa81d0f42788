import { type ChildProcess, spawn } from "node:child_process"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { freePort } from "../../packages/server/src/demo/free-port.ts"
import { end } from "./child.ts"

const PROGRAM = new URL("../../packages/server/bin/restwell.js", import.meta.url).pathname
const LOOK_AGAIN_MS = 2
const LONGEST_START_MS = 60_000

export interface ServiceProcess {
  readonly url: string
  readonly port: number
  /** From the start of the program to its first answer over HTTP. */
  readonly startMs: number
  stop(): Promise<void>
}

/** `npm start` without npm, with nothing in its environment but PATH and what is given here; its log goes to a file. */
export async function startServiceProcess(
  dataDir: string,
  environment: Record<string, string>,
): Promise<ServiceProcess> {
  const port = await freePort(0)
  const { PATH = "" } = process.env
  await using log = await open(join(dataDir, "service.log"), "a")
  const startedAt = performance.now()
  const child = spawn(process.execPath, [PROGRAM, "start"], {
    env: { PATH, PORT: String(port), DATA_DIR: dataDir, ...environment },
    stdio: ["ignore", log.fd, "inherit"],
    // Ctrl-C is for the benchmark, which then tells the service: a second signal would keep it from draining.
    detached: true,
  })
  const url = `http://localhost:${port}`
  await firstAnswer(child, url)
  return { url, port, startMs: performance.now() - startedAt, stop: () => end(child, "SIGTERM") }
}

async function firstAnswer(child: ChildProcess, url: string): Promise<void> {
  const deadline = performance.now() + LONGEST_START_MS
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
    // Refused until it listens.
    const answer = await fetch(`${url}/api/v1/health`).catch(() => undefined)
    if (answer) return void (await answer.body?.cancel())
    await wait(LOOK_AGAIN_MS)
  }
  child.kill("SIGKILL")
  throw new Error("the service did not answer")
}
