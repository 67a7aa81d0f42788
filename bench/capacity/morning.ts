/** The busiest hour of a country, at its real rates, for a part of a minute. */
import { Agent } from "node:http"
import { setTimeout as wait } from "node:timers/promises"
import { HOUR_MS } from "@restwell/client/time-units"
import { createJobQueue } from "@restwell/core"
import { timeRead } from "../growth/read-medians.ts"
import { apiKeyOfMember } from "../population/member.ts"
import { type ActivePerson, untilIdle } from "./active-people.ts"
import type { Deployment } from "./deployment.ts"
import { announceNights, forgetNights } from "./events.ts"
import { SEARCH } from "./kinds.ts"
import { pushHour } from "./pushes.ts"
import { inBusiestHour, RATES } from "./rates.ts"

const LENGTH_MS = 30_000
const LANES = 16
/** What is late by more does not keep up. */
const LONGEST_DELAY_MS = 10_000

export interface Morning {
  readonly people: number
  /** From when a read was due to the end of its response. */
  readonly readsMs: readonly number[]
  /** Nights, refreshes and pushes that were begun. */
  readonly others: number
  /** From the last request until nothing was left to sync. */
  readonly lagMs: number
  /** Everything began within ten seconds of its time, and was done ten seconds after the end. */
  readonly keptUp: boolean
}

export interface MorningOptions {
  /** As many as this have a morning. */
  readonly people: number
  /** Those of them who are synced and push, again and again. */
  readonly synced: readonly ActivePerson[]
  /** Numbers of people of the population, who have not read since their last sync. */
  readonly readers: Iterator<number>
  /** Nobody has pushed the hours from this one on, counted back from now. */
  readonly firstHour: number
}

export async function morning(
  deployment: Deployment,
  { people, synced, readers, firstHour }: MorningOptions,
): Promise<Morning> {
  const { pool, api, world } = deployment
  const agent = new Agent({ keepAlive: true, maxSockets: LANES })
  const jobs = createJobQueue(world.context)
  const rateOf = (name: "night" | "refresh" | "push" | "cold"): number =>
    (people * inBusiestHour(RATES[name], RATES[name].perDay)) / HOUR_MS
  const next = (index: number): ActivePerson[] => synced.slice(index % synced.length).slice(0, 1)
  let late = false
  const paced = async (perMs: number, run: (index: number) => Promise<unknown>): Promise<number[]> => {
    const delays: number[] = []
    const startedAt = performance.now()
    let begun = 0
    const lane = async (): Promise<void> => {
      for (;;) {
        const index = begun
        const dueAt = startedAt + index / perMs
        if (dueAt > startedAt + LENGTH_MS) return
        late ||= performance.now() > dueAt + LONGEST_DELAY_MS
        if (late) return
        begun += 1
        await wait(Math.max(0, dueAt - performance.now()))
        await run(index)
        delays.push(performance.now() - dueAt)
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    return delays
  }
  const [readsMs, ...others] = await Promise.all([
    paced(rateOf("cold"), () =>
      timeRead(agent, `${api.url}/api/v1/health?${SEARCH}`, apiKeyOfMember(readers.next().value ?? 0)),
    ),
    paced(rateOf("night"), async (index) => {
      const person = next(index)
      await forgetNights(
        pool,
        person.map(({ userId }) => userId),
      )
      await announceNights(deployment, person)
    }),
    paced(rateOf("refresh"), async (index) => {
      for (const { userId } of next(index)) {
        await pool.query("update restwell.connection set sync_requested_at = now() where user_id = $1", [userId])
        await jobs.requestSync({ userId, provider: "whoop" })
      }
    }),
    paced(rateOf("push"), (index) => pushHour(api.url, next(index), firstHour + Math.floor(index / synced.length))),
  ])
  const endedAt = performance.now()
  await untilIdle(pool)
  const lagMs = performance.now() - endedAt
  agent.destroy()
  return {
    people,
    readsMs,
    others: others.flat().length,
    lagMs,
    keptUp: !late && lagMs < LONGEST_DELAY_MS,
  }
}
