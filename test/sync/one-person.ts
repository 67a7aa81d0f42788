import type { HealthType } from "@restwell/client"
import { bodyOf } from "@restwell/core"
import type { Person } from "@restwell/simulator"
import { createWorld, type World } from "@restwell/testing/world"
import { z } from "zod"

/** A world with one person of the vendor and one account, which are not connected yet. */
export interface Subject {
  readonly world: World
  readonly person: Person
  readonly userId: string
}

export async function openSubject(): Promise<Subject> {
  const world = await createWorld({ days: 120 })
  const person = world.simulator.people.add({ email: "ada@example.com" })
  return { world, person, userId: await world.addUser() }
}

/** A person of the vendor without any record, whose records a test writes, and an account that is not connected yet. */
export async function withoutHistory(world: World, name: string): Promise<Omit<Subject, "world">> {
  const person = world.simulator.people.add({ email: `${name}@example.com`, history: "none" })
  return { person, userId: await world.addUser() }
}

/** All stored records as text, to compare two states. */
export async function storedRecords({ world, userId }: Subject): Promise<string> {
  const { rows } = await world.store.pool.query(
    "select to_jsonb(r) as record from restwell.record r where user_id = $1 order by kind, provider_id",
    [userId],
  )
  return JSON.stringify(rows)
}

export async function connectionRow({ world, userId }: Subject): Promise<{
  status: string
  status_reason: string | null
  last_synced_at: Date | null
  history_complete: boolean
  next_sync_at: Date
}> {
  const { rows } = await world.store.pool.query("select * from restwell.connection where user_id = $1", [userId])
  return rows[0]
}

/** The JSON of a read. */
export async function read({ world, userId }: Subject, type: HealthType, days = 90): Promise<string> {
  const reading = await world.reader.read({
    credential: { userId },
    query: { type, days },
    ifNoneMatch: [],
    isCounted: true,
  })
  if (reading.outcome !== "answer") throw new Error(`expected an answer, got ${reading.outcome}`)
  return JSON.stringify(bodyOf(reading.response.bytes))
}

export function firstOf<Item>(items: readonly Item[]): Item {
  const [first] = items
  if (first === undefined) throw new Error("the simulated person has none of these")
  return first
}

const ListSchema = z.looseObject({ records: z.array(z.looseObject({})) })

/** A fault that changes the records of a list. Other replies pass unchanged. */
export const changedRecords =
  (change: (records: readonly Readonly<Record<string, unknown>>[]) => readonly unknown[]) =>
  (reply: unknown): unknown => {
    const list = ListSchema.safeParse(reply).data
    return list ? { ...list, records: change(list.records) } : reply
  }
