/** Webhooks of the simulated vendor about nights and workouts that the service does not have yet. */
import { randomUUID } from "node:crypto"
import { VENDOR_APP, whoopUnderTest } from "@restwell/testing/vendor"
import type { Pool } from "pg"
import { inTurns } from "../measuring/in-turns.ts"
import type { ActivePerson } from "./active-people.ts"
import type { Deployment } from "./deployment.ts"

/** Webhooks in flight. */
const CONNECTIONS = 8
/** A sleep event leads to a listing when the last one is older than six hours. */
const SINCE_LISTING = "interval '8 hours'"

/** Deletes the newest night, its recovery and its cycle, as before they arrived. */
export async function forgetNights(pool: Pool, ids: readonly string[]): Promise<void> {
  await pool.query(
    `delete from restwell.record r where r.user_id = any ($1) and r.kind in ('sleep', 'recovery', 'cycle')
       and r.date >= (select max(n.date) from restwell.record n where n.user_id = r.user_id and n.kind = 'recovery')`,
    [ids],
  )
  await pool.query(
    `update restwell.connection set listed_at = now() - ${SINCE_LISTING}, last_synced_at = now() - ${SINCE_LISTING}
     where user_id = any ($1)`,
    [ids],
  )
}

/** Deletes the newest workout of each. */
export async function forgetWorkouts(pool: Pool, ids: readonly string[]): Promise<void> {
  await pool.query(
    `delete from restwell.record where (user_id, provider_id) in (
       select distinct on (user_id) user_id, provider_id from restwell.record
       where user_id = any ($1) and kind = 'workout' order by user_id, started_at desc)`,
    [ids],
  )
}

/** Announces the newest night of each, and its recovery. @returns how many nights */
export async function announceNights(deployment: Deployment, people: readonly ActivePerson[]): Promise<number> {
  const { records } = deployment.simulator
  const nights = people.flatMap((one) => {
    const night = records(one.person)
      .sleeps.filter(({ nap, score_state }) => !nap && score_state === "SCORED")
      .toSorted((left, right) => Date.parse(left.end) - Date.parse(right.end))
      .at(-1)
    return night ? [{ one, id: night.id }] : []
  })
  await inTurns(nights, CONNECTIONS, async ({ one, id }) => {
    await announce(deployment, one, { kind: "sleep", id })
    await announce(deployment, one, { kind: "recovery", id })
  })
  return nights.length
}

/** Announces the newest workout of each twice: when it arrives, and when it has its score. @returns how many workouts */
export async function announceWorkouts(deployment: Deployment, people: readonly ActivePerson[]): Promise<number> {
  const { records } = deployment.simulator
  const workouts = people.flatMap((one) => {
    const workout = records(one.person)
      .workouts.toSorted((left, right) => Date.parse(left.start) - Date.parse(right.start))
      .at(-1)
    return workout ? [{ one, id: workout.id }] : []
  })
  await inTurns(workouts, CONNECTIONS, async ({ one, id }) => {
    await announce(deployment, one, { kind: "workout", id })
    await announce(deployment, one, { kind: "workout", id })
  })
  return workouts.length
}

async function announce(
  { api, simulator }: Deployment,
  { person }: ActivePerson,
  about: { readonly kind: "sleep" | "recovery" | "workout"; readonly id: string },
): Promise<void> {
  const vendor = whoopUnderTest(simulator)
  const body = vendor.write({ person, ...about, verb: "updated", eventId: randomUUID() })
  const answer = await fetch(`${api.url}/api/webhooks/whoop`, {
    method: "POST",
    headers: { "content-type": "application/json", ...vendor.sign(body, Date.now(), VENDOR_APP.clientSecret) },
    body,
  })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`a webhook got ${answer.status}`)
}
