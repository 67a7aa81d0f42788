import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { setTimeout as wait } from "node:timers/promises"
import { reservePort } from "@restwell/testing/port"
import { OPEN_SIGN_UP, spawnCommand } from "@restwell/testing/service"

const LOOK_AGAIN_MS = 25
/** Lines of the log that a violation is reported with. */
const KEPT_LINES = 40

/** A process that ended although nobody killed it. */
export interface Ending {
  readonly wasReady: boolean
  readonly lastLines: string
}

/** A process of the service that is started again on the same port after each kill. */
export class KillableService {
  readonly url: string
  readonly #environment: Readonly<Record<string, string>>
  readonly #lines: string[] = []
  readonly #port = reservePort()
  #running: ChildProcess | undefined
  #isReady = false
  #endings: Ending[] = []

  constructor(environment: Readonly<Record<string, string>>) {
    const { port } = this.#port
    this.url = `http://localhost:${port}`
    this.#environment = { PORT: String(port), LOG_LEVEL: "warn", ...OPEN_SIGN_UP, ...environment }
  }

  /** True from its first successful readiness check until it ends. */
  get isReady(): boolean {
    return this.#isReady
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** The last lines that it logged, over all starts. */
  get lastLines(): string {
    return this.#lines.join("\n")
  }

  /** The times it ended by itself since the last call. */
  takeEndings(): Ending[] {
    const endings = this.#endings
    this.#endings = []
    return endings
  }

  start(): void {
    const child = spawnCommand(["start"], this.#environment)
    this.#running = child
    this.#isReady = false
    for (const output of [child.stdout, child.stderr])
      if (output)
        createInterface(output).on("line", (line) => {
          this.#lines.push(line)
          if (this.#lines.length > KEPT_LINES) this.#lines.shift()
        })
    child.once("exit", () => {
      if (this.#running !== child) return
      this.#endings.push({ wasReady: this.#isReady, lastLines: this.lastLines })
      this.#running = undefined
      this.#isReady = false
    })
  }

  /** Resolves with true once it is ready, with false if it ends before or the signal aborts. */
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

  /** Starts it, and waits until it is ready. @throws if it ends before */
  async startReady(): Promise<void> {
    this.start()
    if (!(await this.becomesReady())) throw new Error(`the service did not start: ${this.lastLines}`)
  }

  /** Kills it with -9, and waits until it is gone. */
  async kill(): Promise<void> {
    const child = this.#running
    if (!child) return
    this.#running = undefined
    this.#isReady = false
    const ended = once(child, "exit")
    child.kill("SIGKILL")
    await ended
  }

  /** Stops it with SIGTERM, and frees its port. */
  async stop(): Promise<void> {
    this.#port[Symbol.dispose]()
    const child = this.#running
    if (!child) return
    this.#running = undefined
    const ended = once(child, "exit")
    child.kill("SIGTERM")
    await ended
  }
}
