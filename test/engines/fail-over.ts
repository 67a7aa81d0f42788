import { setTimeout as wait } from "node:timers/promises"
import { openPool } from "@restwell/core"
import type { Engines } from "@restwell/testing/engines"
import { Member } from "@restwell/testing/member"
import { expect } from "vitest"
import { Activity } from "../crash/activity.ts"
import { expectNothingLost, untilIdle } from "../crash/expect-nothing-lost.ts"
import { Assistant } from "./assistant.ts"
import { type Installation, openInstallation, type Route } from "./installation.ts"
import { Prober } from "./prober.ts"

export interface FailOver {
  readonly route: Route
  /** `kill`: kill -9 of all processes. `freeze`: the primary stops answering, and its connections stay open. */
  readonly loss: "kill" | "freeze"
  readonly seed: string
  /** People who join before the loss, and again as many after it. */
  readonly people: number
  /** Load before the loss, and after the promotion. */
  readonly loadMs: number
}

/** Patroni waits until its lease expires, half a minute by default. The time after the promotion does not depend on it. */
const DETECTION_MS = 1_000
const IDLE_TIMEOUT_MS = 120_000
const LOOK_AGAIN_MS = 50
const LONGEST_BACK_MS = 10_000
/** Every response comes within this time, even a 503. */
const LONGEST_ANSWER_MS = 6_500

/** Loses the primary under load, promotes its synchronous standby, and expects that nothing acknowledged is lost. Returns the figures. */
export async function failOver(engines: Engines, test: FailOver): Promise<string> {
  await using installation = await openInstallation(engines, test.route, test.seed)
  const load = await startLoad(installation, test)
  try {
    await wait(test.loadMs)
    const promotedMs = await replacePrimary(installation, test.loss)
    load.wanted.people = test.people * 2
    await wait(test.loadMs)
    await Promise.all([load.activity.end(), load.prober.end(), load.assistant.end()])
    const figures = await expectAllStored(installation, load, installation.standby.url)
    return `${test.route}, ${test.loss}: ${[expectReadsBack(load.prober, promotedMs), ...figures].join("; ")}`
  } finally {
    load.activity.abandon()
  }
}

/** Returns the moment at which the standby began to accept writes. */
async function replacePrimary({ primary, standby, pointTo }: Installation, loss: FailOver["loss"]): Promise<number> {
  await (loss === "kill" ? primary.kill() : primary.freeze())
  await wait(DETECTION_MS)
  await standby.promote()
  const promotedMs = performance.now()
  await pointTo(standby)
  return promotedMs
}

/** The processes under load, and the vendor. */
export type Loaded = Pick<Installation, "urls" | "whoop" | "vendor">

/** Everything that people, assistants and the vendor do meanwhile. */
export interface Load {
  readonly violations: string[]
  readonly member: Member
  readonly activity: Activity
  readonly prober: Prober
  readonly assistant: Assistant
  /** How many people should have joined by now. */
  readonly wanted: { people: number }
}

export async function startLoad(
  { urls, whoop, vendor }: Loaded,
  { seed, people }: Pick<FailOver, "seed" | "people">,
): Promise<Load> {
  const violations: string[] = []
  const reportViolation = (what: string) => void violations.push(what)
  const service = { url: urls[0] }
  const { member, key } = await Member.connected(service, whoop.people.add({ email: "prober@vendor.example" }))
  const assistant = await Assistant.connect(urls, member, reportViolation)
  const wanted = { people }
  const activity = new Activity({
    seed,
    simulator: whoop,
    vendor,
    urls,
    wanted: () => wanted.people,
    reportViolation,
  })
  const prober = new Prober(urls, key)
  while (activity.joined.length < people) await wait(LOOK_AGAIN_MS)
  return { violations, member, activity, assistant, prober, wanted }
}

function expectReadsBack(prober: Prober, promotedMs: number): string {
  const { backMs, lastFailureMs } = prober.since(promotedMs)
  const figures = [
    `reads back ${backMs} ms after the promotion, the last one failed after ${lastFailureMs} ms`,
    `slowest response ${prober.slowestMs} ms`,
  ]
  expect(prober.wrong).toEqual([])
  expect(prober.slowestMs, figures.join()).toBeLessThan(LONGEST_ANSWER_MS)
  expect(lastFailureMs, figures.join()).toBeLessThan(LONGEST_BACK_MS)
  expect(backMs, figures.join()).toBeLessThan(LONGEST_BACK_MS)
  return figures.join("; ")
}

/** Expects that what was acknowledged is in the new primary. @param databaseUrl its address */
export async function expectAllStored(
  { urls, whoop, vendor }: Loaded,
  load: Load,
  databaseUrl: string,
): Promise<string[]> {
  const { activity, prober, assistant, member, violations } = load
  expect(violations).toEqual([])
  whoop.faults.clear()
  const pool = openPool({ connectionString: databaseUrl, max: 2 }, () => {})
  try {
    const { customers } = activity
    const idleMs = await untilIdle({ vendor }, { pool, url: urls[0], customers, longestMs: IDLE_TIMEOUT_MS })
    // A process that lives keeps a refreshed token pair until it is stored, so no grant may be lost.
    const own = { vendor, world: { simulator: whoop } }
    expect(await expectNothingLost(own, pool, urls[0], customers, new Set())).toBe(0)
    const { usage } = await (await member.send("GET", "/api/account")).json()
    expect(usage.used).toBeGreaterThanOrEqual(prober.answered)
    expect(usage.used).toBeLessThanOrEqual(prober.answered + prober.uncertain)
    return [
      `${prober.answered} reads answered, ${prober.uncertain} not, ${usage.used} counted`,
      `${activity.customers.length} people, ${whoop.webhooks.deliveries.length} webhooks`,
      `${whoop.requestLog.count({ grantType: "refresh_token", status: 200 })} grants and ${assistant.refreshes} assistant's tokens refreshed`,
      `idle after ${Math.round(idleMs / 1000)} s`,
    ]
  } finally {
    await pool.end()
  }
}
