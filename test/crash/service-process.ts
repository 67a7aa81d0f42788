import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { setTimeout as wait } from "node:timers/promises"

const PROGRAM = new URL("../../../packages/server/bin/restwell.js", import.meta.url).pathname
const LOOK_AGAIN_MS = 25
/** What a violation is told with. */
const KEPT_LINES = 15

/** A process that ended though nobody killed it. */
export interface Ending {
  readonly wasReady: boolean
  readonly lastWords: string
}

/** One process of the service, started as an operator would, on the same port each time. */
export class ServiceProcess {
  readonly url: string
  readonly #environment: Readonly<Record<string, string>>
  readonly #lines: string[] = []
  #running: ChildProcess | undefined
  #isReady = false
  #endings: Ending[] = []

  constructor(port: number, environment: Readonly<Record<string, string>>) {
    this.url = `http://localhost:${port}`
    this.#environment = { PORT: String(port), LOG_LEVEL: "warn", ...environment }
  }

  /** True from the moment it was seen ready until it ends. */
  get isReady(): boolean {
    return this.#isReady
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** The end of what it said, of all its lives. */
  get lastWords(): string {
    return this.#lines.join("\n")
  }

  /** The times it ended by itself since this was last asked. */
  takeEndings(): Ending[] {
    const endings = this.#endings
    this.#endings = []
    return endings
  }

  start(): void {
    // A cache of compiled code, where whoever runs this has one, halves the work of a start.
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const child = spawn(process.execPath, [PROGRAM, "start"], {
      env: { PATH, NODE_COMPILE_CACHE, ...this.#environment },
      stdio: ["ignore", "pipe", "pipe"],
    })
    this.#running = child
    this.#isReady = false
    for (const output of [child.stdout, child.stderr])
      createInterface(output).on("line", (line) => {
        this.#lines.push(line)
        if (this.#lines.length > KEPT_LINES) this.#lines.shift()
      })
    child.once("exit", () => {
      if (this.#running !== child) return
      this.#endings.push({ wasReady: this.#isReady, lastWords: this.lastWords })
      this.#running = undefined
      this.#isReady = false
    })
  }

  /** Resolves true once it answers requests, false when it ends before or is no longer waited for. */
  async becomesReady(signal?: AbortSignal): Promise<boolean> {
    const child = this.#running
    while (child !== undefined && this.#running === child && !signal?.aborted) {
      const answer = await fetch(`${this.url}/readyz`).catch(() => undefined)
      await answer?.body?.cancel()
      if (answer?.status === 200 && this.#running === child) {
        this.#isReady = true
        return true
      }
      await wait(LOOK_AGAIN_MS)
    }
    return false
  }

  /** Ends it without a word of warning; done when it is gone. */
  async kill(): Promise<void> {
    const child = this.#running
    if (!child) return
    this.#running = undefined
    this.#isReady = false
    const ended = once(child, "exit")
    child.kill("SIGKILL")
    await ended
  }

  /** As an operator ends it. */
  async stop(): Promise<void> {
    const child = this.#running
    if (!child) return
    this.#running = undefined
    const ended = once(child, "exit")
    child.kill("SIGTERM")
    await ended
  }
}
