import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { Writable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "../../packages/server/src/demo/free-port.ts"
import { type Report, ReportSchema, TIME_PIPE, type Word } from "./process-words.ts"
import { databaseUrlOf } from "./service.ts"
import { TEST_SECRET, type World } from "./world.ts"

/** A job as its process saw it, in real time, epoch milliseconds. */
export interface Job {
  readonly userId: string
  readonly process: number
  readonly beganMs: number
  endedMs: number
}

/** One process with the whole service, doors and workers, on an address that outlives it. */
class ServiceProcess {
  readonly jobs: Job[] = []
  readonly warnings: string[] = []
  readonly #number: number
  readonly #port: number
  readonly #world: World
  readonly #environment: Readonly<Record<string, string>>
  readonly #awaited: { type: Report["type"]; resolve: (report: Report) => void }[] = []
  #child: ChildProcess | undefined

  constructor(number: number, port: number, world: World, environment: Readonly<Record<string, string>>) {
    this.#number = number
    this.#port = port
    this.#world = world
    this.#environment = environment
  }

  get isRunning(): boolean {
    return this.#child !== undefined
  }

  get webhookUrl(): string {
    return `http://127.0.0.1:${this.#port}/api/webhooks/whoop`
  }

  async start(): Promise<void> {
    const child = fork(new URL("./clocked-service.ts", import.meta.url), {
      stdio: ["ignore", "inherit", "inherit", "ipc", "pipe"],
    })
    this.#child = child
    child.on("message", (message) => this.#hear(ReportSchema.parse(message)))
    await this.#next("ready")
    const started = this.#next("started")
    const environment = {
      PORT: String(this.#port),
      DATABASE_URL: databaseUrlOf(this.#world.store),
      RESTWELL_SECRET: TEST_SECRET,
      WHOOP_CLIENT_ID: "simulator-client",
      WHOOP_CLIENT_SECRET: "simulator-secret",
      WHOOP_BASE_URL: this.#world.simulator.url,
      ...this.#environment,
    }
    this.#tell({ type: "start", environment, nowMs: this.#world.simulator.clock.nowMs() })
    await started
  }

  /** As an operator stops it: SIGTERM, and a drain. Returns its exit code. */
  async stop(): Promise<number | null> {
    const child = this.#child
    if (!child) return 0
    this.#child = undefined
    const exit = once(child, "exit")
    child.kill("SIGTERM")
    const [code] = await exit
    return code
  }

  async hold(): Promise<void> {
    const held = this.#next("held")
    this.#tell({ type: "hold" })
    await held
  }

  release(nowMs: number): void {
    const time = Buffer.alloc(8)
    time.writeDoubleBE(nowMs)
    const pipe = this.#child?.stdio[TIME_PIPE]
    if (!(pipe instanceof Writable)) throw new Error("the process has no pipe for the time")
    pipe.write(time)
  }

  async look(): Promise<{ readonly jobs: number; readonly waits: number }> {
    const state = this.#next("state")
    this.#tell({ type: "look" })
    const report = await state
    return report.type === "state" ? report : { jobs: 0, waits: 0 }
  }

  #tell(word: Word): void {
    this.#child?.send(word)
  }

  #next(type: Report["type"]): Promise<Report> {
    return new Promise((resolve) => this.#awaited.push({ type, resolve }))
  }

  #hear(report: Report): void {
    if (report.type === "warning") this.warnings.push(report.line)
    if (report.type === "job") this.#note(report)
    const index = this.#awaited.findIndex(({ type }) => type === report.type)
    if (index >= 0) this.#awaited.splice(index, 1)[0]?.resolve(report)
  }

  #note({ userId, began, atMs }: Extract<Report, { type: "job" }>): void {
    if (began) this.jobs.push({ userId, process: this.#number, beganMs: atMs, endedMs: Number.POSITIVE_INFINITY })
    const job = this.jobs.findLast((each) => each.userId === userId)
    if (!began && job) job.endedMs = atMs
  }
}

/** Some processes of one service, and one clock for them and for the vendor. */
export interface ServiceProcesses {
  readonly all: readonly ServiceProcess[]
  /** Moves everybody's clock at once, at a moment when no call is on its way to the vendor: none is made at one time and arrives at another. */
  move(milliseconds: number): Promise<void>
  /** Resolves when everything told has arrived, and the workers have done what they can at this time. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** What stays the same for so many looks at it is as far as it gets. */
const LOOKS = 4
const BETWEEN_LOOKS_MS = 10

/** A call is on its way for milliseconds; this is a minute. */
const MOST_HOLDS = 20_000
const BETWEEN_HOLDS_MS = 3

/** Starts processes on a world's database and vendor. Whatever they wait for, they wait for on the vendor's clock. */
export async function startServiceProcesses(
  world: World,
  count: number,
  environment: Readonly<Record<string, string>>,
): Promise<ServiceProcesses> {
  const { simulator, store } = world
  const ports = await Promise.all(Array.from({ length: count }, () => freePort(0)))
  const all = ports.map((port, index) => new ServiceProcess(index, port, world, environment))
  await Promise.all(all.map((each) => each.start()))
  const running = () => all.filter(({ isRunning }) => isRunning)

  const calls = new CallsOfVendor(world)
  const isNothingOnItsWay = async () => {
    const { rows } = await store.pool.query<{ taken: number; taking: number }>(`
      select coalesce(sum(calls), 0)::int as taken,
        (select count(*)::int from pg_stat_activity
         where datname = current_database() and state = 'active' and query like '%take_vendor_call(%' and pid <> pg_backend_pid()) as taking
      from restwell.vendor_call_count`)
    return rows[0]?.taking === 0 && rows[0].taken === calls.answered()
  }

  return {
    all,
    async move(milliseconds) {
      for (let attempt = 0; attempt < MOST_HOLDS; attempt += 1) {
        const held = running()
        await Promise.all(held.map((each) => each.hold()))
        const isStill = await isNothingOnItsWay()
        if (isStill) simulator.clock.advance(milliseconds)
        for (const each of held) each.release(simulator.clock.nowMs())
        if (isStill) return
        await sleep(BETWEEN_HOLDS_MS)
      }
      throw new Error("a call that was taken from the budget has not arrived at the vendor")
    },
    async settle() {
      await simulator.webhooks.flush()
      let before = ""
      for (let same = 0; same < LOOKS; ) {
        await sleep(BETWEEN_LOOKS_MS)
        const states = await Promise.all(running().map((each) => each.look()))
        const now = JSON.stringify([simulator.requestLog.entries.length, all.map(({ jobs }) => jobs.length), states])
        same = now === before ? same + 1 : 0
        before = now
      }
    },
    async close() {
      await Promise.all(all.map((each) => each.stop()))
    },
  }
}

/** The calls that count against the vendor's limits, as its log has them. */
class CallsOfVendor {
  readonly #log: World["simulator"]["requestLog"]
  #seen = 0
  #calls = 0

  constructor({ simulator }: World) {
    this.#log = simulator.requestLog
  }

  /** How many have been answered; undefined while one is on its way. */
  answered(): number | undefined {
    for (; this.#seen < this.#log.entries.length; this.#seen += 1) {
      const entry = this.#log.entries[this.#seen]
      if (entry?.status === undefined) return undefined
      if (isCounted(entry)) this.#calls += 1
    }
    return this.#calls
  }
}

/** Everything but the tokens. */
export const isCounted = ({ path }: { readonly path: string }): boolean => path.startsWith("/developer/")
