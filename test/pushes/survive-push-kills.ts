import { setTimeout as wait } from "node:timers/promises"
import { createIngestToken, openPool } from "@restwell/core"
import { type Random, randomFor } from "@restwell/simulator"
import { startPostgres } from "@restwell/testing/database"
import { serviceEnvironment } from "@restwell/testing/service"
import { createWorld, type World } from "@restwell/testing/world"
import { expect } from "vitest"
import { startAgain } from "../crash/installation.ts"
import { killServer } from "../crash/kill-server.ts"
import { KillableService } from "../crash/killable-service.ts"
import { tryRequest } from "../crash/try-request.ts"
import { type Row, rowsOfNight, storedOf } from "./pusher.ts"

const NEWEST_NIGHT = "2026-11-10"
/** A later push of a neighbouring day makes its records again, and would mend what a kill broke. */
const DAYS_BETWEEN = 6
const HEART_RATES = 12
const LARGEST_BATCH = 40
/** How many a person may push at a time. */
const PHONES = 2
/** How many pushes the service has stored before its kill since it was ready. */
const FEWEST_BEFORE_KILL = 2
const LOOK_AGAIN_MS = 20
const LONGEST_TAKEOVER_MS = 60_000

export interface PushKills {
  readonly batches: number
  readonly kills: number
  readonly seed: string
}

/**
 * Pushes each batch twice, in a random order, to a service that is killed with -9 while it stores some of them. A push without an answer
 * is sent again. Expects that the person's rows are those of one push that nobody disturbs.
 */
export async function survivePushKills(options: PushKills): Promise<string> {
  const world = await createWorld({ days: 1, seed: options.seed })
  const service = new KillableService(serviceEnvironment(world.store, world.simulator))
  const killAndStart = async () => {
    await service.kill()
    await service.startReady()
  }
  return pushThroughKills(options, { world, service, killAndStart, times: 2 })
}

/**
 * The same with each batch once, while the service goes on. Its PostgreSQL is killed with -9 as soon as a push is answered, while another
 * one is stored. What was answered is never sent again, so it has to be there.
 */
export async function surviveDatabaseKills(options: PushKills): Promise<string> {
  const postgres = await startPostgres()
  const pool = openPool({ ...postgres.connection, max: 2 }, () => {})
  try {
    const world = await createWorld({ days: 1, seed: options.seed, pool })
    const service = new KillableService(serviceEnvironment(postgres, world.simulator))
    const killAndStart = async () => {
      await killServer(postgres.cluster, true)
      await startAgain(postgres.cluster)
    }
    return await pushThroughKills(options, { world, service, killAndStart, times: 1 })
  } finally {
    await pool.end()
    await postgres.remove()
  }
}

interface Stage {
  readonly world: World
  readonly service: KillableService
  readonly killAndStart: () => Promise<void>
  /** How often each batch is pushed. */
  readonly times: 1 | 2
}

async function pushThroughKills({ batches: count, kills, seed }: PushKills, stage: Stage): Promise<string> {
  const { world, service, killAndStart, times } = stage
  const random = randomFor(seed, "pushes")
  try {
    await service.startReady()
    const batches = drawBatches(random, count)
    const clean = await phone(world, service)
    const startedAt = performance.now()
    expect(await clean.push(batches.flat())).toBe("stored")
    const cut = await phone(world, service)
    const all = shuffled(random, times === 2 ? [...batches, ...batches] : batches)
    const figures = await pushAll(random, { service, batches: all, kills, killAndStart, push: cut.push, times })
    await endPushes(world)
    expect(await storedOf(world, cut.userId)).toBe(await storedOf(world, clean.userId))
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    return `${count} batches ${times === 2 ? "twice" : "once"}, ${kills} kills, ${figures.lost} pushes cut, ${figures.refused} found no service, ${seconds} s, seed ${seed}`
  } finally {
    await service.stop()
    await world.close()
  }
}

/** What a killed process left is taken over after a while. The reports of slow pushes are no rows that were pushed. */
async function endPushes({ store: { pool } }: World): Promise<void> {
  const left = async () => {
    const { rowCount } = await pool.query("select from restwell.push where status in ('receiving', 'queued')")
    return rowCount
  }
  await expect.poll(left, { timeout: LONGEST_TAKEOVER_MS }).toBe(0)
  await pool.query("delete from restwell.push")
}

/** Nights that are far apart, with heart rates, cut as a phone does: each batch has rows of neighbouring times. */
function drawBatches(random: Random, count: number): Row[][] {
  const batches: Row[][] = []
  for (let night = 0; batches.length < count; night += 1) {
    const date = new Date(Date.parse(NEWEST_NIGHT) - night * DAYS_BETWEEN * 86_400_000).toISOString().slice(0, 10)
    const heartRates = Array.from({ length: HEART_RATES }, (_, hour) => ({
      type: "heart_rate",
      start: `${date}T${String(hour).padStart(2, "0")}:20:00+01:00`,
      value: random.integer(45, 90),
    }))
    const rows = [...rowsOfNight(date, { restingHeartRate: random.integer(45, 65) }), ...heartRates]
    while (rows.length > 0 && batches.length < count) batches.push(rows.splice(0, random.integer(1, LARGEST_BATCH)))
  }
  return batches
}

const shuffled = <Item>(random: Random, items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, at: random.between(0, 1) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)

type Outcome = "stored" | "lost" | "unsent"

async function phone(world: World, service: KillableService) {
  const userId = await world.addUser()
  const { token } = await createIngestToken(world.context, { userId, name: "Phone" })
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const push = async (records: readonly Row[]): Promise<Outcome> => {
    // A person may push 120 times a minute, and a phone has more patience than a test. While the database is killed, the next push does it.
    await world.store.pool.query("delete from restwell.attempt").catch(() => {})
    const body = JSON.stringify({ records })
    const outcome = await tryRequest(`${service.url}/api/ingest/records`, { method: "POST", headers, body })
    if (outcome.kind !== "answered") return outcome.kind
    if (outcome.status === 503) return "lost"
    // A push that was answered with 202 is stored in any case, and is not sent again.
    expect([200, 202], outcome.body).toContain(outcome.status)
    return "stored"
  }
  return { userId, push }
}

interface Pushes extends Pick<Stage, "service" | "killAndStart" | "times"> {
  readonly batches: readonly Row[][]
  readonly kills: number
  readonly push: (records: readonly Row[]) => Promise<Outcome>
}

/**
 * Kills at moments that are spread over all pushes: each while the service stores a batch that it does not have, or after its answer if no
 * batch comes again.
 */
async function pushAll(random: Random, { service, batches, kills, killAndStart, push, times }: Pushes) {
  const figures = { lost: 0, refused: 0 }
  const left = [...batches]
  const every = Math.max(FEWEST_BEFORE_KILL, Math.floor(batches.length / (2 * kills + 1)))
  let [begun, killed, pushMs] = [0, 0, 0]
  const known = new Set<readonly Row[]>()
  let restarted = Promise.resolve()
  const killAfter = async (ms: number) => {
    await wait(ms)
    await killAndStart()
  }
  const beginKill = (afterMs: number) => {
    restarted = restarted.then(() => killAfter(afterMs))
    // The next push without an answer, and the end, report it.
    restarted.catch(() => {})
  }
  const pushUntilStored = async (batch: readonly Row[]) => {
    for (;;) {
      const startedAt = performance.now()
      const outcome = await push(batch)
      if (outcome === "stored") {
        if (!known.has(batch)) pushMs = performance.now() - startedAt
        known.add(batch)
        return
      }
      figures[outcome === "lost" ? "lost" : "refused"] += 1
      await restarted
      await wait(LOOK_AGAIN_MS)
    }
  }
  const pushInTurn = async () => {
    for (let batch = left.pop(); batch; batch = left.pop()) {
      begun += 1
      const isDue = killed < kills && !known.has(batch) && begun >= (killed + 1) * every
      // Counted at once, or both phones would begin the same kill.
      if (isDue) killed += 1
      if (isDue && times === 2) beginKill(random.between(0, pushMs))
      await pushUntilStored(batch)
      if (isDue && times === 1) beginKill(0)
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: PHONES }, pushInTurn))
  await restarted
  for (const phone of ended) if (phone.status === "rejected") throw phone.reason
  expect(killed).toBe(kills)
  expect(figures.lost, "no kill cut a push").toBeGreaterThan(0)
  expect(service.takeEndings()).toEqual([])
  return figures
}
