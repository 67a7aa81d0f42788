/** People who are connected to the simulated vendor, synced by the worker, and of whom operations are measured. */
import { setTimeout as wait } from "node:timers/promises"
import { createIngestToken, createWebhook } from "@restwell/core"
import type { Person } from "@restwell/simulator"
import type { Pool } from "pg"
import { inTurns } from "../measuring/in-turns.ts"
import type { Deployment } from "./deployment.ts"

export interface ActivePerson {
  readonly userId: string
  readonly person: Person
  readonly ingestToken: string
}

const WIDTH = 4
const LOOK_AGAIN_MS = 50

/** Connects people to the vendor, and waits until the worker has stored their history. */
export async function connectPeople(deployment: Deployment, first: number, count: number): Promise<ActivePerson[]> {
  const { world, simulator, pool } = deployment
  const numbers = Array.from({ length: count }, (_, index) => first + index)
  const people = await inTurns(numbers, WIDTH, async (number): Promise<ActivePerson> => {
    const email = `active-${number}@vendor.example`
    const person = simulator.people.add({ email })
    const userId = await world.addUser({ id: `active-${number}`, email })
    await world.authorize(userId, person)
    const { token } = await createIngestToken(world.context, { userId, name: "phone" })
    return { userId, person, ingestToken: token }
  })
  await untilHistoriesAreComplete(pool)
  await untilIdle(pool)
  return people
}

/** Sends them a briefing each morning, as if they had been connected and had wanted it for long. */
export async function wantBriefings(deployment: Deployment, people: readonly ActivePerson[]): Promise<void> {
  const { world, pool, receiverUrl } = deployment
  for (const { userId } of people) {
    const webhook = { url: receiverUrl, events: ["briefing.ready" as const], include_figures: false }
    await createWebhook(world.context, { userId, network: "127.0.0.1" }, webhook)
  }
  const ids = people.map(({ userId }) => userId)
  await pool.query(
    "update restwell.connection set first_live_at = now() - interval '90 days' where user_id = any ($1)",
    [ids],
  )
  const briefing = { enabled: true, earliest: "00:00", channels: ["webhook"] }
  await pool.query(
    `insert into restwell.notification_settings (user_id, briefing, briefing_since, rules, rules_since, home_assistant)
     select id, $2, now() - interval '90 days', '[]', '{}', false from unnest($1::text[]) id`,
    [ids, JSON.stringify(briefing)],
  )
}

async function untilHistoriesAreComplete(pool: Pool): Promise<void> {
  const isAnyLeft = async () => {
    const { rowCount } = await pool.query(
      "select from restwell.connection where user_id like 'active-%' and not history_complete limit 1",
    )
    return rowCount === 1
  }
  while (await isAnyLeft()) await wait(LOOK_AGAIN_MS)
}

/** Waits until nothing is due. */
export async function untilIdle(pool: Pool): Promise<void> {
  const isBusy = async () => {
    const { rows } = await pool.query<{ busy: boolean }>(
      `select exists (select from restwell.vendor_event)
         or exists (select from restwell.job where kind in ('sync', 'notify', 'delivery')
           and (claim is not null or due_at <= now()))
         or exists (select from restwell.connection where next_sync_at <= now()
           and status not in ('disconnected', 'archive', 'reauthorization_required')) as busy`,
    )
    return rows[0]?.busy === true
  }
  while (await isBusy()) await wait(LOOK_AGAIN_MS)
}
