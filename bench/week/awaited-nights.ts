import { SleepResponseSchema } from "@restwell/client"
import { bodyOf, type HealthReader } from "@restwell/core"
import type { Delivery, Person, Simulator } from "@restwell/simulator"

/** A night that the vendor has announced and the API does not return yet. */
export interface AwaitedNight {
  readonly userId: string
  readonly id: string
  /** When it was announced, on the simulated clock, epoch milliseconds. */
  readonly announcedAtMs: number
  /** When it was announced in real time, as performance.now() gives it. */
  readonly announcedAt: number
}

/** The nights that webhooks announce. @param userOf account by the vendor's number of a person */
export function announcedNights(
  deliveries: readonly Delivery[],
  userOf: ReadonlyMap<number, string>,
  at: Pick<AwaitedNight, "announcedAtMs" | "announcedAt">,
): AwaitedNight[] {
  return deliveries.flatMap(({ event }) => {
    const userId = userOf.get(event.userId)
    if (event.type !== "sleep.updated" || userId === undefined) return []
    return [{ userId, id: `whoop-${event.id}`, ...at }]
  })
}

/** The nights that the API does not return with their score yet. */
export async function missingNights(reader: HealthReader, nights: readonly AwaitedNight[]): Promise<AwaitedNight[]> {
  const areThere = await Promise.all(
    nights.map(async ({ userId, id }) => {
      const query = { type: "sleep", days: 3 } as const
      const reading = await reader.read({ credential: { userId }, query, ifNoneMatch: [], isCounted: true })
      if (reading.outcome !== "answer") return false
      const { records } = SleepResponseSchema.parse(bodyOf(reading.response.bytes))
      return records.some((record) => record.id === id && record.score_state !== "pending")
    }),
  )
  return nights.filter((_, index) => !areThere[index])
}

/** False for a night that its person has deleted at the vendor. */
export const existsAtVendor = (simulator: Simulator, people: readonly Person[], id: string): boolean =>
  people.some((person) => simulator.records(person).sleeps.some((sleep) => `whoop-${sleep.id}` === id))
