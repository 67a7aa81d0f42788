import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chown, mkdir } from "node:fs/promises"
import { setTimeout as wait } from "node:timers/promises"
import { type OsUser, postgresUser } from "@restwell/server/os-user"
import { makeFolder } from "../database/make-folder.ts"
import { queryOnce } from "./query-once.ts"

const LONGEST_START_MS = 20_000
const LOOK_AGAIN_MS = 20
const KEPT_CHARACTERS = 4_000

/** Makes a temporary folder of the user who runs the programs: both refuse to run as root. */
export async function makeEngineFolder(
  name: string,
): Promise<{ readonly folder: string; readonly user: OsUser | undefined }> {
  const user = await postgresUser()
  const folder = await makeFolder(name)
  if (user) await chown(folder, user.uid, user.gid)
  return { folder, user }
}

/** Makes a folder inside of it that only its user can enter. */
export async function makePrivateFolder(path: string, user: OsUser | undefined): Promise<void> {
  await mkdir(path, { mode: 0o700 })
  if (user) await chown(path, user.uid, user.gid)
}

/** Runs a program to its end. @throws with what it printed, if it fails */
export async function runEngine(
  program: string,
  parameters: readonly string[],
  user: OsUser | undefined,
): Promise<void> {
  const running = new EngineProcess(program, parameters, user)
  const code = await running.ended
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${running.output}`)
}

/** A program that runs until it is stopped. */
export class EngineProcess {
  readonly #child: ChildProcess
  readonly ended: Promise<number | NodeJS.Signals>
  #output = ""

  constructor(program: string, parameters: readonly string[], user: OsUser | undefined) {
    // Programs of PostgreSQL want a working directory that they may enter.
    this.#child = spawn(program, parameters, {
      stdio: ["ignore", "pipe", "pipe"],
      cwd: "/",
      ...user,
      env: { LANG: "C.UTF-8" },
    })
    for (const output of [this.#child.stdout, this.#child.stderr])
      output?.on("data", (chunk) => {
        this.#output = (this.#output + chunk).slice(-KEPT_CHARACTERS)
      })
    this.ended = once(this.#child, "close").then(([code, signal]) => code ?? signal)
  }

  /** The end of what it printed. */
  get output(): string {
    return this.#output
  }

  get pid(): number {
    return this.#child.pid ?? Number.NaN
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    if (this.isRunning) this.signal(signal)
    await this.ended
  }

  /** Waits until a database answers at this address. */
  async answersAt(url: string): Promise<void> {
    const deadline = performance.now() + LONGEST_START_MS
    while (this.isRunning && performance.now() < deadline) {
      if (await queryOnce(url, "select 1").then(Boolean, () => false)) return
      await wait(LOOK_AGAIN_MS)
    }
    throw new Error(`no database answers at ${url}: ${this.#output}`)
  }
}
