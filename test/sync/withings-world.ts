// What tests of Withings share: the simulated vendor, people without rows, rows that a test writes, and what is stored of them.
import type { CallLimits } from "@restwell/providers"
import type { Person, WireMeasureGroup, WireWithingsSleep, WithingsSimulator } from "@restwell/simulator"
import { startVendor, startWithingsBeside } from "@restwell/testing/vendor"
import { createWorld, type World } from "@restwell/testing/world"

const NOW = new Date("2026-11-20T12:00:00Z")

export const second = (text: string): number => Date.parse(text) / 1000
let newestId = 500

/** A night of eight hours that ended on 19 November, in Berlin. */
export function nightRow(row: Partial<WireWithingsSleep> = {}): WireWithingsSleep {
  const [startdate, enddate] = [second("2026-11-18T22:30:00Z"), second("2026-11-19T06:30:00Z")]
  newestId += 1
  return {
    id: newestId,
    timezone: "Europe/Berlin",
    model: 32,
    model_id: 63,
    hash_deviceid: "mat",
    startdate,
    enddate,
    date: "2026-11-19",
    created: startdate + 3600,
    modified: enddate + 900,
    completed: true,
    data: { total_timeinbed: 28_800, total_sleep_time: 25_200 },
    ...row,
  }
}

export const FIGURES = {
  total_timeinbed: 28_800,
  total_sleep_time: 25_200,
  lightsleepduration: 14_400,
  deepsleepduration: 6_000,
  remsleepduration: 4_800,
  wakeupduration: 2_400,
  sleep_efficiency: 0.91,
  sleep_score: 78,
  hr_average: 56,
  hr_min: 49,
  rr_average: 14,
  wakeupcount: 3,
  sleep_latency: 600,
}

export const group = (
  type: number,
  value: number,
  unit: number,
  more: Partial<WireMeasureGroup> = {},
): WireMeasureGroup => {
  const date = second("2026-11-19T06:40:00Z")
  newestId += 1
  return {
    ...{ grpid: newestId, attrib: 0, date, created: date, modified: date, category: 1 },
    ...{ deviceid: null, hash_deviceid: null, comment: null },
    measures: [{ value, type, unit, algo: 0, fm: 131 }],
    ...more,
  }
}

/** A person without any row, and their account. */
interface Subject {
  readonly person: Person
  readonly userId: string
}

/** A Withings beside a WHOOP, and what is stored of it. */
export interface WithingsWorld {
  readonly vendor: WithingsSimulator
  readonly world: World
  empty(name: string): Promise<Subject>
  connect(subject: Subject): Promise<void>
  /** Lets time pass, and runs what becomes due. */
  pass(durationMs: number): Promise<void>
  recordOf(userId: string, kind: string, id: string | number): Promise<ReturnType<typeof JSON.parse>>
  sleepsOf(userId: string): Promise<ReturnType<typeof JSON.parse>[]>
  /** How many values are stored of each type. */
  samplesOf(userId: string): Promise<Record<string, number>>
  close(): Promise<void>
}

const COLUMNS =
  "provider_id as id, date::text, started_at, ended_at, score_state as state, utc_offset_minutes as offset, detail"

/** @param calls the limits of the app. @default none */
export async function openWithings(calls?: CallLimits): Promise<WithingsWorld> {
  const simulator = await startVendor({ seed: "withings", now: NOW, days: 60 })
  const vendor = await startWithingsBeside(simulator)
  const world = await createWorld({
    ...{ simulator, vendor: "withings", beside: { withings: vendor }, timeoutMs: 20_000 },
    ...(calls && { calls }),
  })
  const query = async (sql: string, values: readonly unknown[]) => (await world.store.pool.query(sql, [...values])).rows
  return {
    vendor,
    world,
    async empty(name) {
      const person = simulator.people.add({ email: `${name}@example.com`, history: "none" })
      return { person, userId: await world.addUser() }
    },
    async connect({ userId, person }) {
      await world.connect(userId, person)
      await world.runDue()
    },
    async pass(durationMs) {
      simulator.clock.advance(durationMs)
      await world.runDue()
    },
    recordOf: async (userId, kind, id) =>
      (
        await query(`select ${COLUMNS} from restwell.record where user_id = $1 and kind = $2 and provider_id = $3`, [
          userId,
          kind,
          String(id),
        ])
      )[0],
    sleepsOf: (userId) =>
      query(
        `select ${COLUMNS} from restwell.record where user_id = $1 and kind = 'sleep' order by started_at, provider_id`,
        [userId],
      ),
    async samplesOf(userId) {
      const rows = await query(
        "select type, sum(count)::int as n from restwell.series_day where user_id = $1 group by type",
        [userId],
      )
      return Object.fromEntries(rows.map(({ type, n }) => [type, n]))
    },
    async close() {
      await world.close()
      await vendor.close()
      await simulator.close()
    },
  }
}
