import { setTimeout as wait } from "node:timers/promises"
import type { VendorName } from "@restwell/providers"
import { type Random, randomFor, type Simulator } from "@restwell/simulator"
import { startVendor } from "@restwell/testing/vendor"
import { expect } from "vitest"
import { isRefreshed } from "../faults/vendor-faults.ts"
import { Activity } from "./activity.ts"
import { expectNothingLost, untilIdle } from "./expect-nothing-lost.ts"
import { inFlight, renewing } from "./in-flight.ts"
import { type Installation, type InstallationKind, openInstallation } from "./installation.ts"
import { type CrashVendor, startCrashVendor } from "./vendors.ts"

/** WHOOP retries a webhook five times in an hour. Here it retries each second until it is acknowledged, so that none is given up. */
const RETRIES = { everyMs: 1_000, count: 3_600 }
const VENDOR_LATENCY_MS = 15
/** How long the reply to a token refresh is delayed after the vendor has issued the new pair. */
const REFRESH_REPLY_MS = 40

const PEOPLE_AT_FIRST = 3
const KILLS_PER_NEWCOMER = 4

/** The share of kills that come during a start. */
const KILLED_WHILE_STARTING = 0.25
const LONGEST_RUN_MS = 2_500
/** A job of a killed worker is taken over when its heartbeat is 10 to 15 seconds old: only longer runs reach such jobs. */
const LONG_RUN = { probability: 0.15, leastMs: 12_000, mostMs: 20_000 }
/** It takes two minutes on an idle machine. */
const IDLE_TIMEOUT_MS = 240_000
const LOOK_AGAIN_MS = 50

export interface CrashOptions {
  readonly provider: VendorName
  readonly kind: InstallationKind
  readonly kills: number
  /** After each kill the service must be ready within this time, unless the next one comes before. @default no limit */
  readonly longestBackMs?: number
  /** Kills, edits and people are drawn from it. The timing inside the service still varies between runs. */
  readonly seed: string
}

/** Kills an installation at random moments while people use it, and expects that nothing acknowledged is lost. Returns a line of figures. */
export async function surviveKills({
  provider,
  kind,
  kills,
  seed,
  longestBackMs = Number.POSITIVE_INFINITY,
}: CrashOptions): Promise<string> {
  const whoop = await startVendor({ seed })
  const started = await startCrashVendor(provider, whoop)
  const { vendor } = started
  const { simulator } = vendor
  simulator.webhooks.manners.retryAfterMs = Array.from({ length: RETRIES.count }, () => RETRIES.everyMs)
  if (isRefreshed(provider))
    simulator.faults.add({ match: { path: vendor.paths.token }, kind: "late_reply", ms: REFRESH_REPLY_MS })
  simulator.faults.add({ match: { path: vendor.paths.data }, kind: "latency", ms: VENDOR_LATENCY_MS })
  const installation = await openInstallation(kind, vendor)
  // The service subscribes to Oura's webhooks by itself.
  whoop.webhooks.urls = installation.processes.map(({ url }) => `${url}/api/webhooks/whoop`)
  try {
    const { figures, readyMs } = await new CrashTest(started, whoop, installation, seed).run(kills)
    process.stdout.write(`${figures}\n`)
    expect(readyMs.filter((tookMs) => tookMs > longestBackMs)).toEqual([])
    return figures
  } finally {
    await started.close()
    await whoop.close()
    await installation.close()
  }
}

class CrashTest {
  readonly #vendors: CrashVendor
  /** It has the people. */
  readonly #whoop: Simulator
  readonly #installation: Installation
  readonly #seed: string
  readonly #violations: string[] = []
  readonly #moments = new Map<string, number>()
  readonly #victims = new Map<string, number>()
  /** The vendor's numbers of people whose new tokens a kill may have lost. */
  readonly #renewing = new Set<number>()
  #done = 0
  readonly #readyMs: number[] = []

  constructor(vendors: CrashVendor, whoop: Simulator, installation: Installation, seed: string) {
    this.#vendors = vendors
    this.#whoop = whoop
    this.#installation = installation
    this.#seed = seed
  }

  async run(kills: number): Promise<{ readonly figures: string; readonly readyMs: readonly number[] }> {
    const { pool, processes, name } = this.#installation
    const [first, ...more] = processes.map(({ url }) => url)
    if (first === undefined) throw new Error("an installation has at least one process")
    await this.#startAll(false)
    await this.#untilSubscribed()
    const activity = new Activity({
      seed: `${this.#seed}/${name}`,
      simulator: this.#whoop,
      vendor: this.#vendors.vendor,
      urls: [first, ...more],
      wanted: () => PEOPLE_AT_FIRST + Math.floor(this.#done / KILLS_PER_NEWCOMER),
      reportViolation: (what) => this.#reportViolation(what),
    })
    try {
      while (activity.joined.length < PEOPLE_AT_FIRST && this.#violations.length === 0) await wait(LOOK_AGAIN_MS)
      await this.#killAgainAndAgain(activity, kills)
      expect(this.#violations).toEqual([])
      await activity.end()
    } finally {
      activity.abandon()
    }
    this.#vendors.vendor.simulator.faults.clear()
    const { customers } = activity
    const idleMs = await untilIdle(this.#vendors, { pool, url: first, customers, longestMs: IDLE_TIMEOUT_MS })
    const lost = await expectNothingLost(this.#vendors, pool, first, customers, this.#renewing)
    expect(this.#violations).toEqual([])
    return { figures: this.#describe(activity, lost, idleMs), readyMs: this.#readyMs }
  }

  /** What happens before the service has subscribed is not announced. */
  async #untilSubscribed(): Promise<void> {
    while (!this.#vendors.isSubscribed()) await wait(LOOK_AGAIN_MS)
  }

  async #killAgainAndAgain(activity: Activity, kills: number): Promise<void> {
    const random = randomFor(this.#seed, this.#installation.name, "kills")
    let isExcused = false
    for (; this.#done < kills && this.#violations.length === 0; this.#done += 1) {
      await this.#installation.revive()
      const waiting = new AbortController()
      const back = this.#untilReady(waiting.signal)
      if (random.chance(KILLED_WHILE_STARTING)) await wait(random.between(0, this.#installation.startMs))
      else {
        await back
        await wait(drawRunMs(random))
      }
      this.#noteEndings(isExcused)
      for (const moment of inFlight(this.#vendors.vendor, activity, this.#installation)) count(this.#moments, moment)
      const { what, hitsDatabase, kill } = this.#installation.drawKill(random)
      count(this.#victims, what)
      waiting.abort()
      await Promise.all([kill(), back])
      for (const userId of renewing(this.#vendors.vendor)) this.#renewing.add(userId)
      isExcused = hitsDatabase
      this.#printProgress(activity)
      this.#noteEndings(isExcused)
    }
    await this.#startAll(isExcused)
  }

  /** Starts the processes again until all are ready. */
  async #startAll(isExcused: boolean): Promise<void> {
    const { signal } = new AbortController()
    for (; this.#violations.length === 0; this.#noteEndings(isExcused)) {
      await this.#installation.revive()
      if (await this.#untilReady(signal)) return
    }
  }

  #printProgress({ customers }: Activity): void {
    const kills = this.#done + 1
    if (kills % 10 > 0) return
    process.stdout.write(`${this.#installation.name}: ${kills} kills, ${customers.length} people\n`)
  }

  /** Waits for every process. True if all are ready. */
  async #untilReady(signal: AbortSignal): Promise<boolean> {
    const startedAt = performance.now()
    const { processes } = this.#installation
    if (this.#done > 0) await this.#installation.untilDatabase(signal)
    const areReady = await Promise.all(processes.map((each) => each.becomesReady(signal)))
    if (areReady.includes(false)) return false
    // The first start makes the database.
    if (this.#done > 0) this.#readyMs.push(performance.now() - startedAt)
    return true
  }

  /** A process must not end by itself, except while it starts and its database is killed. */
  #noteEndings(isDatabaseHit: boolean): void {
    for (const { wasReady, lastLines } of this.#installation.processes.flatMap((each) => each.takeEndings()))
      if (wasReady || !isDatabaseHit) this.#reportViolation(`a process ended by itself: ${lastLines}`)
  }

  /** Ends the run. It is printed at once, because the other runs of the file take another hour. */
  #reportViolation(what: string): void {
    process.stdout.write(`${this.#installation.name}, seed ${this.#seed}, kill ${this.#done}: ${what}\n`)
    this.#violations.push(what)
  }

  #describe(activity: Activity, lost: number, idleMs: number): string {
    const { webhooks, requestLog } = this.#vendors.vendor.simulator
    const reads = activity.customers.map((customer) => customer.reads)
    const total = (of: "complete" | "uncertain") => reads.reduce((sum, each) => sum + each[of], 0)
    const figures = [
      `seed ${this.#seed}`,
      `${this.#done} kills (${list(this.#victims)})`,
      `in the middle of ${list(this.#moments)}`,
      `${webhooks.deliveries.length} webhooks acknowledged, ${webhooks.deliveries.filter(({ attempts }) => attempts > 1).length} of them after retries`,
      `${total("complete")} reads acknowledged, ${total("uncertain")} without a response`,
      `${requestLog.count({ grantType: "refresh_token", status: 200 })} refreshes`,
      `${activity.customers.length} connections, ${lost} grants lost to the vendor's rotation`,
      `ready after ${spread(this.#readyMs)} ms`,
      `idle after ${Math.round(idleMs / 1000)} s`,
    ]
    return `${this.#vendors.vendor.provider}, ${this.#installation.name}: ${figures.join("; ")}`
  }
}

const drawRunMs = (random: Random): number =>
  random.chance(LONG_RUN.probability)
    ? random.between(LONG_RUN.leastMs, LONG_RUN.mostMs)
    : random.between(0, LONGEST_RUN_MS)

const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)

const list = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([name, times]) => `${name} ${times}`).join(", ")

/** Median, 95th percentile and longest. */
function spread(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
  return `${at(0.5)} (median), ${at(0.95)} (95 %), ${at(1)} (longest of ${sorted.length})`
}
