// Mornings of many people, while both replicas that tell them are killed again and again.
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { setTimeout as wait } from "node:timers/promises"
import type { Rule } from "@restwell/client"
import { DAY_MS, HOUR_MS } from "@restwell/client/time-units"
import { changeNotifications, computeInThread } from "@restwell/core"
import { randomFor } from "@restwell/simulator"
import { TEST_SECRET } from "@restwell/testing/service"
import { createWorld, type World } from "@restwell/testing/world"
import { expect } from "vitest"
import { KillableService } from "../crash/killable-service.ts"
import { connect, storeNight } from "./store-night.ts"

export interface NotifyKills {
  readonly people: number
  readonly kills: number
  readonly seed: string
}

/** A dead run's job is taken over after 15 seconds, and failures are tried again after 5 minutes at the latest. */
const LONGEST_MS = 400_000
/** About what a kill and the start after it take, so that mornings come as long as replicas are killed. */
const KILL_MS = 4_000
const LIMIT_MS = 50
const RULE: Omit<Extract<Rule, { kind: "limit" }>, "channels"> = {
  ...{ id: "low", kind: "limit", metric: "hrv", direction: "below", limit: LIMIT_MS, enabled: true },
}

/**
 * Stores a night of each person while two replicas are killed with -9 in turn. Expects one briefing of each night and one notice of each that is
 * below the person's limit, written once and received at least once.
 */
export async function surviveNotifyKills({ people, kills, seed }: NotifyKills): Promise<string> {
  const world = await createWorld({ days: 1, seed, now: new Date() })
  // Without an app of the vendor nothing is synced.
  const environment = {
    DATABASE_URL: world.store.url,
    RESTWELL_SECRET: TEST_SECRET,
    ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
  }
  const replicas = [new KillableService(environment), new KillableService(environment)] as const
  const topics = await Topics.listen()
  const random = randomFor(seed, "mornings")
  try {
    for (const replica of replicas) await replica.startReady()
    const expected: string[] = []
    const storeMornings = async () => {
      for (let index = 0; index < people; index += 1) {
        const hrv = random.integer(30, 70)
        const userId = await newPerson(world, topics.url)
        await storeNight(world, userId, nightOf(world, `${seed}-${index}`, hrv), { isScored: true })
        expected.push(`${userId} briefing`, ...(hrv < LIMIT_MS ? [`${userId} low`] : []))
        await wait((kills * KILL_MS) / people)
      }
    }
    const killInTurn = async () => {
      for (let kill = 0; kill < kills; kill += 1) {
        await wait(random.integer(200, 3_000))
        const replica = replicas[kill % 2] ?? replicas[0]
        await replica.kill()
        await replica.startReady()
      }
    }
    await Promise.all([storeMornings(), killInTurn()])
    await expect.poll(() => topics.received.size, { timeout: LONGEST_MS, interval: 500 }).toBe(expected.length)
    const { rows } = await world.store.pool.query<{ told: string }>(
      "select user_id || ' ' || subject as told from restwell.notice",
    )
    expect(rows.map(({ told }) => told).toSorted()).toEqual(expected.toSorted())
    const twice = [...topics.received.values()].reduce((sum, times) => sum + times - 1, 0)
    return `${people} mornings, ${expected.length} notices, ${kills} kills, ${twice} requests repeated, seed ${seed}`
  } finally {
    for (const replica of replicas) await replica.stop()
    topics.close()
    await world.close()
  }
}

/** Topics of ntfy, one a person, which answer late enough that kills meet requests under way. */
class Topics {
  /** How often each title came to each topic. */
  readonly received = new Map<string, number>()
  readonly #server = createServer(async (request, response) => {
    await text(request)
    const notice = `${request.url} ${String(request.headers["title"])}`
    this.received.set(notice, (this.received.get(notice) ?? 0) + 1)
    setTimeout(() => response.end("{}"), 15)
  })

  static async listen(): Promise<Topics> {
    const topics = new Topics()
    topics.#server.listen(0, "127.0.0.1")
    await once(topics.#server, "listening")
    return topics
  }

  get url(): string {
    const address: AddressInfo | string | null = this.#server.address()
    if (address === null || typeof address === "string") throw new Error("the topics listen on no port")
    return `http://127.0.0.1:${address.port}`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

async function newPerson(world: World, topicsUrl: string): Promise<string> {
  const userId = await world.addUser()
  await connect(world, userId, new Date(world.context.clock.now().getTime() - DAY_MS))
  await changeNotifications({ ...world.context, statistics: computeInThread(world.store.pool) }, userId, {
    briefing: { enabled: true, earliest: "00:00", channels: ["ntfy"] },
    ntfy: { url: `${topicsUrl}/${userId}` },
    rules: [{ ...RULE, channels: ["ntfy"] }],
  })
  return userId
}

/** A night that ended an hour ago. */
function nightOf(world: World, id: string, hrv: number) {
  const nowMs = world.context.clock.now().getTime()
  const endMs = nowMs - HOUR_MS
  return {
    ...{
      id,
      date: new Date(endMs).toISOString().slice(0, 10),
      startMs: endMs - 8 * HOUR_MS,
      endMs,
      utcOffsetMinutes: 0,
    },
    ...{ arrivesMs: nowMs, scoredMs: nowMs, hrv, restingHeartRate: 50 },
  }
}
