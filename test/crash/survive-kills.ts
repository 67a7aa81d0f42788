import { setTimeout as wait } from "node:timers/promises"
import { type Simulator, startSimulator } from "@restwell/simulator"
import { expect } from "vitest"
import { type Random, randomFor } from "../../../packages/simulator/src/model/random.ts"
import { inFlight, renewing } from "./in-flight.ts"
import { type Installation, type InstallationKind, openInstallation } from "./installation.ts"
import { Life } from "./life.ts"
import { expectTruth, untilSettled } from "./verdict.ts"

/** WHOOP's five retries of an hour are a try each second here, for as long as it takes: what is given up on for good was never acknowledged. */
const RETRIES = { everyMs: 1_000, count: 3_600 }
const VENDOR_LATENCY_MS = 15
/** A refresh has happened at the vendor for this long before the service hears of it. */
const REFRESH_REPLY_MS = 40

const PEOPLE_AT_FIRST = 3
const KILLS_PER_NEWCOMER = 4

/** A quarter of the kills comes during the start. */
const KILLED_WHILE_STARTING = 0.25
const LONGEST_START_MS = 2_500
const LONGEST_LIFE_MS = 2_500
/** A worker's work is taken up by another once its heart has not beaten for 10 to 15 seconds: only lives that are longer get to old work. */
const LONG_LIFE = { probability: 0.15, leastMs: 12_000, mostMs: 20_000 }
/** Two minutes on a machine that has little else to do. */
const LONGEST_SETTLING_MS = 240_000
const LOOK_AGAIN_MS = 50

export interface CrashOptions {
  readonly kind: InstallationKind
  readonly kills: number
  /** Kills, edits and people are drawn from it; when what happens within the service is the machine's. */
  readonly seed: string
}

/** Kills an installation at random moments while people use it, and expects that nothing acknowledged was lost. Returns figures in a line. */
export async function surviveKills({ kind, kills, seed }: CrashOptions): Promise<string> {
  const simulator = await startSimulator({ seed, defaultPeople: false, rateLimits: "off", autoApprove: true })
  simulator.webhooks.manners.retryAfterMs = Array.from({ length: RETRIES.count }, () => RETRIES.everyMs)
  simulator.faults.add({ match: { path: "/oauth/oauth2/token" }, kind: "late_reply", ms: REFRESH_REPLY_MS })
  simulator.faults.add({ match: { path: "/developer" }, kind: "latency", ms: VENDOR_LATENCY_MS })
  const installation = await openInstallation(kind, simulator.url)
  simulator.webhooks.urls = installation.processes.map(({ url }) => `${url}/api/webhooks/whoop`)
  try {
    return await new Ordeal(simulator, installation, seed).run(kills)
  } finally {
    await simulator.close()
    await installation.close()
  }
}

class Ordeal {
  readonly #simulator: Simulator
  readonly #installation: Installation
  readonly #seed: string
  readonly #violations: string[] = []
  readonly #moments = new Map<string, number>()
  readonly #victims = new Map<string, number>()
  /** People at the vendor whose grant a kill may have lost. */
  readonly #renewing = new Set<number>()
  #done = 0
  #longestReadyMs = 0

  constructor(simulator: Simulator, installation: Installation, seed: string) {
    this.#simulator = simulator
    this.#installation = installation
    this.#seed = seed
  }

  async run(kills: number): Promise<string> {
    const { pool, processes, name } = this.#installation
    const [first, ...more] = processes.map(({ url }) => url)
    if (first === undefined) throw new Error("an installation has at least one process")
    await this.#bringUp(false)
    const life = new Life({
      seed: `${this.#seed}/${name}`,
      simulator: this.#simulator,
      urls: [first, ...more],
      wanted: () => PEOPLE_AT_FIRST + Math.floor(this.#done / KILLS_PER_NEWCOMER),
      violated: (what) => this.#violations.push(what),
    })
    try {
      while (life.joined.length < PEOPLE_AT_FIRST && this.#violations.length === 0) await wait(LOOK_AGAIN_MS)
      await this.#killAgainAndAgain(life, kills)
      expect(this.#violations).toEqual([])
      await life.end()
    } finally {
      life.abandon()
    }
    this.#simulator.faults.clear()
    const settledMs = await untilSettled(this.#simulator, pool, LONGEST_SETTLING_MS)
    const lost = await expectTruth(this.#simulator, pool, first, life.customers, this.#renewing)
    expect(this.#violations).toEqual([])
    return this.#describe(life, lost, settledMs)
  }

  async #killAgainAndAgain(life: Life, kills: number): Promise<void> {
    const random = randomFor(this.#seed, this.#installation.name, "kills")
    let isExcused = false
    for (; this.#done < kills && this.#violations.length === 0; this.#done += 1) {
      await this.#installation.revive()
      const waiting = new AbortController()
      const back = this.#untilReady(waiting.signal)
      if (random.chance(KILLED_WHILE_STARTING)) await wait(random.between(0, LONGEST_START_MS))
      else {
        await back
        await wait(drawLifeMs(random))
      }
      this.#noteEndings(isExcused)
      for (const moment of inFlight(this.#simulator, life, this.#installation)) count(this.#moments, moment)
      const { what, hitsDatabase, kill } = this.#installation.drawKill(random)
      count(this.#victims, what)
      waiting.abort()
      await Promise.all([kill(), back])
      for (const userId of renewing(this.#simulator)) this.#renewing.add(userId)
      isExcused = hitsDatabase
      this.#tellProgress(life)
      this.#noteEndings(isExcused)
    }
    await this.#bringUp(isExcused)
  }

  /** Starts until everything answers. */
  async #bringUp(isExcused: boolean): Promise<void> {
    const { signal } = new AbortController()
    for (; this.#violations.length === 0; this.#noteEndings(isExcused)) {
      await this.#installation.revive()
      if (await this.#untilReady(signal)) return
    }
  }

  #tellProgress({ customers }: Life): void {
    const kills = this.#done + 1
    if (kills % 10 > 0) return
    process.stdout.write(`${this.#installation.name}: ${kills} kills, ${customers.length} people\n`)
  }

  /** True once every process answers. */
  async #untilReady(signal: AbortSignal): Promise<boolean> {
    const startedAt = performance.now()
    const { processes } = this.#installation
    const areReady = await Promise.all(processes.map((each) => each.becomesReady(signal)))
    if (areReady.includes(false)) return false
    this.#longestReadyMs = Math.max(this.#longestReadyMs, performance.now() - startedAt)
    return true
  }

  /** A process ends when it is killed. It may also give up a start whose database is killed on the way, but nothing else. */
  #noteEndings(isDatabaseHit: boolean): void {
    for (const { wasReady, lastWords } of this.#installation.processes.flatMap((each) => each.takeEndings()))
      if (wasReady || !isDatabaseHit) this.#violations.push(`a process ended by itself: ${lastWords}`)
  }

  #describe(life: Life, lost: number, settledMs: number): string {
    const { webhooks, requestLog } = this.#simulator
    const reads = life.customers.map((customer) => customer.reads)
    const total = (of: "complete" | "uncertain") => reads.reduce((sum, each) => sum + each[of], 0)
    const figures = [
      `seed ${this.#seed}`,
      `${this.#done} kills (${list(this.#victims)})`,
      `in the middle of ${list(this.#moments)}`,
      `${webhooks.deliveries.length} webhooks acknowledged, ${webhooks.deliveries.filter(({ attempts }) => attempts > 1).length} of them after retries`,
      `${total("complete")} reads acknowledged, ${total("uncertain")} without an answer`,
      `${requestLog.count({ grantType: "refresh_token", status: 200 })} refreshes`,
      `${life.customers.length} connections, ${lost} grants lost to the vendor's rotation`,
      `longest time until ready ${Math.round(this.#longestReadyMs)} ms`,
      `settled in ${Math.round(settledMs / 1000)} s`,
    ]
    return `${this.#installation.name}: ${figures.join("; ")}`
  }
}

const drawLifeMs = (random: Random): number =>
  random.chance(LONG_LIFE.probability)
    ? random.between(LONG_LIFE.leastMs, LONG_LIFE.mostMs)
    : random.between(0, LONGEST_LIFE_MS)

const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)

const list = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([name, times]) => `${name} ${times}`).join(", ")
