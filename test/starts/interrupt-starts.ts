import { setTimeout as wait } from "node:timers/promises"
import { type Random, randomFor } from "@restwell/simulator"
import { Installation, type Start } from "./installation.ts"
import type { Phase } from "./phase-of.ts"

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGKILL"] as const
type Signal = (typeof SIGNALS)[number]

/** How long PostgreSQL may run after its service. */
const LONGEST_GONE_MS = 60_000
const LONGEST_START_MS = 120_000
/** Moments are drawn until a little after the service listens. */
const BEYOND_READY = 1.15
/** Then the rest would show nothing new. */
const MOST_FAILURES = 10
/** A first guess, in milliseconds. */
const READY_MS = { fresh: 2_500, used: 1_800 }

type Kind = keyof typeof READY_MS

const kindOf = ({ isFresh }: Installation): Kind => (isFresh ? "fresh" : "used")

export interface InterruptOptions {
  readonly starts: number
  readonly seed: string
  /** How many services are started at a time. Half of them on folders that are soon replaced by fresh ones. */
  readonly lanes: number
  readonly print: (line: string) => void
}

export interface Figures {
  readonly failures: readonly string[]
  readonly text: string
}

/** Interrupts starts at random moments. Expects that nothing keeps running, nothing acknowledged is lost, and the next start works. */
export async function interruptStarts(options: InterruptOptions): Promise<Figures> {
  const run = new Interruptions(options)
  await Promise.all(Array.from({ length: options.lanes }, (_, lane) => run.lane(lane)))
  return run.figures()
}

class Interruptions {
  readonly #options: InterruptOptions
  readonly #signals = new Map<string, number>()
  readonly #phases = new Map<string, number>()
  readonly #endings = new Map<string, number>()
  readonly #failures: string[] = []
  readonly #readyMs = { ...READY_MS }
  #begun = 0
  #done = 0
  #verified = 0
  #longestGoneMs = 0
  #longestReadyMs = 0

  constructor(options: InterruptOptions) {
    this.#options = options
  }

  /** Starts on one folder after another, as long as there are starts left. */
  async lane(lane: number): Promise<void> {
    const random = randomFor(this.#options.seed, "lane", lane)
    const isSoonReplaced = lane % 2 === 0
    while (this.#hasMore) {
      const installation = await Installation.make()
      const leaving: Promise<void>[] = []
      // The first one makes the database, and both show how long a start takes now.
      if (!isSoonReplaced) for (let count = 0; count < 2; count += 1) await this.#verify(installation)
      for (let count = 0; count < (isSoonReplaced ? 4 : 40) && this.#hasMore; count += 1)
        await this.#interruptOne(installation, random, leaving)
      await Promise.all(leaving)
      await this.#verify(installation)
      await installation.remove()
    }
  }

  get #hasMore(): boolean {
    return this.#begun < this.#options.starts && this.#failures.length < MOST_FAILURES
  }

  /** Interrupts one start. Half of the time the next one may begin while this one's PostgreSQL still stops. */
  async #interruptOne(installation: Installation, random: Random, leaving: Promise<void>[]): Promise<void> {
    this.#begun += 1
    const name = `start ${this.#begun}`
    const kind = kindOf(installation)
    const afterMs = random.between(0, this.#readyMs[kind] * BEYOND_READY)
    const signal = random.pick<Signal>(SIGNALS)
    const toGroup = random.chance(0.5)
    const startedAt = performance.now()
    const start = await installation.start()
    const using = this.#useOnceReady(installation, start, () => this.#noteReady(kind, performance.now() - startedAt))
    const early = await Promise.race([start.ended, wait(afterMs)])
    const phase = await start.phase()
    if (early !== undefined) this.#fail(`${name} ended by itself with ${early} (${phase})`, start)
    else send(start, signal, toGroup)
    const by = await Promise.race([start.ended, wait(LONGEST_GONE_MS, "not at all")])
    const gone = this.#noteGone(installation, name)
    for (const lost of await using) this.#fail(`${name}: ${lost}`, start)
    this.#noteEnd(`${name} (${phase}, ${Math.round(afterMs)} ms)`, { start, phase, signal, by })
    leaving.push(gone)
    if (random.chance(0.5)) await gone
  }

  #noteReady(kind: Kind, readyMs: number): void {
    this.#readyMs[kind] = (this.#readyMs[kind] + readyMs) / 2
    this.#longestReadyMs = Math.max(this.#longestReadyMs, readyMs)
  }

  async #useOnceReady(installation: Installation, start: Start, onReady: () => void): Promise<string[]> {
    const url = await Promise.race([start.listens, start.ended.then(() => undefined)])
    if (url === undefined) return []
    onReady()
    return await installation.use(url)
  }

  async #noteGone(installation: Installation, name: string): Promise<void> {
    const goneMs = await installation.untilGone(LONGEST_GONE_MS)
    this.#longestGoneMs = Math.max(this.#longestGoneMs, goneMs)
    if (goneMs === Number.POSITIVE_INFINITY) this.#fail(`${name}: processes are left after a minute`)
  }

  /** A signal that comes before the program's first line ends it by itself. */
  #noteEnd(
    name: string,
    { start, phase, signal, by }: { start: Start; phase: Phase; signal: Signal; by: number | string },
  ): void {
    count(this.#signals, signal)
    count(this.#phases, phase)
    count(this.#endings, String(by))
    const isExpected = by === 0 ? signal !== "SIGKILL" : by === signal && (signal === "SIGKILL" || isBefore(phase))
    if (!isExpected) this.#fail(`${name} ended with ${by} after ${signal}`, start)
    this.#done += 1
    if (this.#done % 50 === 0) this.#options.print(`${this.#done} starts interrupted`)
  }

  /** Starts once more without an interruption, and expects everything acknowledged. */
  async #verify(installation: Installation): Promise<void> {
    const kind = kindOf(installation)
    const startedAt = performance.now()
    const start = await installation.start()
    const url = await Promise.race([start.listens, start.ended, wait(LONGEST_START_MS, "nothing")])
    if (typeof url !== "string" || !url.startsWith("http")) {
      this.#fail(`a start after interrupted ones ended with ${url}`, start)
      start.child.kill("SIGKILL")
    } else {
      this.#verified += 1
      this.#noteReady(kind, performance.now() - startedAt)
      for (const lost of await installation.use(url)) this.#fail(lost, start)
      start.child.kill("SIGTERM")
      const by = await start.ended
      if (by !== 0) this.#fail(`a whole start ended with ${by}`, start)
    }
    await this.#noteGone(installation, "a whole start")
  }

  #fail(what: string, start?: Start): void {
    this.#failures.push(start ? `${what}\n${start.lastLines()}` : what)
  }

  figures(): Figures {
    const text = [
      `seed ${this.#options.seed}`,
      `${this.#begun} starts interrupted (${list(this.#signals)})`,
      `in the phases ${list(this.#phases)}`,
      `exit codes ${list(this.#endings)}`,
      `${this.#verified} whole starts, the slowest start ready after ${Math.round(this.#longestReadyMs)} ms`,
      `nothing left after at most ${Math.round(this.#longestGoneMs)} ms`,
      `${this.#failures.length} failures`,
    ].join("; ")
    return { failures: this.#failures, text }
  }
}

/** Ctrl-C and a closed terminal reach the whole group. */
function send({ child }: Start, signal: Signal, toGroup: boolean): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  process.kill(toGroup ? -child.pid : child.pid, signal)
}

const isBefore = (phase: Phase): boolean => phase === "before PostgreSQL"

const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)

const list = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, times]) => `${name} ${times}`)
    .join(", ")
