import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { Writable } from "node:stream"
import { reservePort } from "@restwell/testing/port"
import { serviceEnvironment } from "@restwell/testing/service"
import type { World } from "@restwell/testing/world"
import { type Command, type Report, ReportSchema, TIME_PIPE } from "./process-messages.ts"

/** A job as its process reported it. Times are real, in epoch milliseconds. */
export interface Job {
  readonly userId: string
  readonly process: number
  readonly beganMs: number
  endedMs: number
}

/** One process with the whole service, which keeps its port when it is started again. */
export class ServiceProcess {
  readonly jobs: Job[] = []
  readonly warnings: string[] = []
  readonly #number: number
  readonly #port = reservePort()
  readonly #world: World
  readonly #environment: Readonly<Record<string, string>>
  readonly #awaited: { type: Report["type"]; resolve: (report: Report) => void }[] = []
  #child: ChildProcess | undefined

  constructor(number: number, world: World, environment: Readonly<Record<string, string>>) {
    this.#number = number
    this.#world = world
    this.#environment = environment
  }

  get isRunning(): boolean {
    return this.#child !== undefined
  }

  get webhookUrl(): string {
    return `http://127.0.0.1:${this.#port.port}/api/webhooks/whoop`
  }

  async start(): Promise<void> {
    const child = fork(new URL("./clocked-service.ts", import.meta.url), {
      stdio: ["ignore", "inherit", "inherit", "ipc", "pipe"],
    })
    this.#child = child
    child.on("message", (message) => this.#receive(ReportSchema.parse(message)))
    await this.#next("ready")
    const started = this.#next("started")
    const environment = {
      ...serviceEnvironment(this.#world.store, this.#world.simulator),
      PORT: String(this.#port.port),
      ...this.#environment,
    }
    this.#send({ type: "start", environment, nowMs: this.#world.simulator.clock.nowMs() })
    await started
  }

  /** Stops it with SIGTERM. Returns its exit code. */
  async stop(): Promise<number | null> {
    const child = this.#child
    if (!child) return 0
    this.#child = undefined
    const exit = once(child, "exit")
    child.kill("SIGTERM")
    const [code] = await exit
    return code
  }

  /** Stops it, and frees its port. */
  async close(): Promise<void> {
    await this.stop()
    this.#port[Symbol.dispose]()
  }

  async pause(): Promise<void> {
    const paused = this.#next("paused")
    this.#send({ type: "pause" })
    await paused
  }

  resume(nowMs: number): void {
    const time = Buffer.alloc(8)
    time.writeDoubleBE(nowMs)
    const pipe = this.#child?.stdio[TIME_PIPE]
    if (!(pipe instanceof Writable)) throw new Error("the process has no pipe for the time")
    pipe.write(time)
  }

  async readState(): Promise<{ readonly jobs: number; readonly waits: number }> {
    const state = this.#next("state")
    this.#send({ type: "report state" })
    const report = await state
    return report.type === "state" ? report : { jobs: 0, waits: 0 }
  }

  #send(command: Command): void {
    this.#child?.send(command)
  }

  #next(type: Report["type"]): Promise<Report> {
    return new Promise((resolve) => this.#awaited.push({ type, resolve }))
  }

  #receive(report: Report): void {
    if (report.type === "warning") this.warnings.push(report.line)
    if (report.type === "job") this.#recordJob(report)
    const index = this.#awaited.findIndex(({ type }) => type === report.type)
    if (index >= 0) this.#awaited.splice(index, 1)[0]?.resolve(report)
  }

  #recordJob({ userId, began, atMs }: Extract<Report, { type: "job" }>): void {
    if (began) this.jobs.push({ userId, process: this.#number, beganMs: atMs, endedMs: Number.POSITIVE_INFINITY })
    const job = this.jobs.findLast((each) => each.userId === userId)
    if (!began && job) job.endedMs = atMs
  }
}
