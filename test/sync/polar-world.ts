// What tests of Polar share: the simulated vendor, people without rows, and what is stored of them.
import type { Person, PolarSimulator } from "@restwell/simulator"
import { startPolarBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, type World } from "@restwell/testing/world"

export const NOW = new Date("2026-11-20T12:00:00Z")

/** A Polar beside a WHOOP, and what is stored of it. */
export interface PolarWorld {
  readonly vendor: PolarSimulator
  readonly world: World
  /** A person without any row, whose rows a test writes. */
  empty(name: string): Promise<{ readonly person: Person; readonly userId: string }>
  recordOf(userId: string, kind: string, id: string): Promise<ReturnType<typeof JSON.parse>>
  /** How many values of a type are stored. */
  valuesOf(userId: string, type: string): Promise<number>
  close(): Promise<void>
}

const COLUMNS = "date::text, started_at, ended_at, utc_offset_minutes as offset, score_state, detail, course"

export async function openPolar(): Promise<PolarWorld> {
  const simulator = await startVendor({ seed: "polar", now: NOW, days: 20 })
  const vendor = await startPolarBeside(simulator)
  const world = await createWorld({ simulator, vendor: "polar", beside: { polar: vendor }, timeoutMs: 20_000 })
  const first = async (sql: string, values: readonly unknown[]) =>
    (await world.store.pool.query(sql, [...values])).rows[0]
  return {
    vendor,
    world,
    async empty(name) {
      const person = simulator.people.add({ email: `${name}@example.com`, history: "none" })
      return { person, userId: await world.addUser() }
    },
    recordOf: (userId, kind, id) =>
      first(`select ${COLUMNS} from restwell.record where user_id = $1 and kind = $2 and provider_id = $3`, [
        userId,
        kind,
        id,
      ]),
    async valuesOf(userId, type) {
      const sql = "select coalesce(sum(count), 0)::int as n from restwell.series_day where user_id = $1 and type = $2"
      return (await first(sql, [userId, type])).n
    },
    async close() {
      await world.close()
      await vendor.close()
      await simulator.close()
    },
  }
}
