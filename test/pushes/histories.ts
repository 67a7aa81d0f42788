// Random histories of a person: pushes, archives, moves to other time zones, and removals of what came. Two rules hold after any of them.
import { appleArchive, appleRecord, takeoutArchive } from "@restwell/simulator"
import type { TestService } from "@restwell/testing/service"
import fc from "fast-check"
import { expect } from "vitest"
import { importedArchive } from "../imports/upload-archive.ts"
import { type CountType, countingPerson } from "./counted-days.ts"
import { pushed, type Row, rowsOfNight } from "./pusher.ts"

const APP = "/api/ingest/health-auto-export"
const FROM = "2026-11-08"
const TO = "2026-11-20"

interface Count {
  readonly type: CountType
  /** Quarters of an hour since the first midnight in UTC. */
  readonly quarter: number
  readonly quarters: number
  readonly value: number
  readonly source: string
  /** How the time is written, minutes east of UTC. Null for Z. */
  readonly offset: number | null
  readonly id: string | null
}

type Step =
  | { readonly kind: "phone"; readonly counts: readonly Count[]; readonly night: string | null }
  | { readonly kind: "app"; readonly counts: readonly Count[]; readonly grouping: string | null }
  | { readonly kind: "apple" | "takeout"; readonly counts: readonly Count[] }
  | { readonly kind: "move"; readonly zone: string }
  | { readonly kind: "remove"; readonly which: number }

const quarterMs = (quarter: number): number => Date.parse("2026-11-10T00:00:00Z") + quarter * 900_000

function timeOf(ms: number, offset: number | null): string {
  const local = new Date(ms + (offset ?? 0) * 60_000).toISOString().slice(0, 19)
  if (offset === null) return `${local}Z`
  const hours = String(Math.abs(offset) / 60).padStart(2, "0")
  return `${local}${offset < 0 ? "-" : "+"}${hours}:00`
}

const ofPhone = ({ type, quarter, quarters, value, source, offset, id }: Count): Row => ({
  type,
  value,
  source,
  start: timeOf(quarterMs(quarter), offset),
  ...(quarters > 0 && { end: timeOf(quarterMs(quarter + quarters), offset) }),
  ...(id !== null && { id }),
})

const OF_APP = { steps: "step_count", active_energy: "active_energy", distance: "walking_running_distance" } as const
const UNITS = { steps: "count", active_energy: "kcal", distance: "m" } as const
const ofApp = (counts: readonly Count[], isDays: boolean) => ({
  data: {
    metrics: counts.map(({ type, quarter, value, source, offset }) => ({
      name: OF_APP[type],
      units: UNITS[type],
      data: [
        {
          qty: value,
          source,
          date: timeOf(quarterMs(isDays ? quarter - (quarter % 96) : quarter), isDays ? 0 : (offset ?? 0))
            .replace("T", " ")
            .replace(/([+-]\d\d):/, " $1"),
        },
      ],
    })),
  },
})

const OF_APPLE = {
  steps: "StepCount",
  active_energy: "ActiveEnergyBurned",
  distance: "DistanceWalkingRunning",
} as const
const ofApple = (counts: readonly Count[]): Buffer =>
  appleArchive(
    counts.map(({ type, quarter, quarters, value, source }) => {
      const times = { startMs: quarterMs(quarter), endMs: quarterMs(quarter + quarters) }
      return appleRecord(OF_APPLE[type], times, { sourceName: source, unit: UNITS[type], value: String(value) })
    }),
  )

const ofTakeout = (counts: readonly Count[]): Buffer =>
  takeoutArchive({
    "steps-2026-11-01.json": counts.map(({ quarter, value }) => {
      const [, year, month, day, clock] =
        /^\d\d(\d\d)-(\d\d)-(\d\d)T([\d:]{8})/.exec(timeOf(quarterMs(quarter), null)) ?? []
      return { dateTime: `${month}/${day}/${year} ${clock}`, value: String(value) }
    }),
  })

const count = fc.record<Count>({
  type: fc.constantFrom("steps", "active_energy", "distance"),
  quarter: fc.nat(96 * 4),
  quarters: fc.constantFrom(0, 1, 2, 4, 7),
  value: fc.integer({ min: 1, max: 2_000 }),
  source: fc.constantFrom("Ada's Watch", "Ada's iPhone"),
  offset: fc.constantFrom(null, 0, 60, -300, 540),
  id: fc.constantFrom(null, null, "a", "b"),
})
const counts = fc.array(count, { minLength: 1, maxLength: 12 })

/** What comes is more often than what goes. */
export const anyHistory: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("phone" as const),
      counts,
      night: fc.constantFrom(null, "2026-11-11", "2026-11-12"),
    }),
    fc.record({ kind: fc.constant("app" as const), counts, grouping: fc.constantFrom(null, "Days", "Minutes") }),
    fc.record({ kind: fc.constantFrom("apple" as const, "takeout" as const), counts }),
    fc.record({
      kind: fc.constant("move" as const),
      zone: fc.constantFrom("America/New_York", "Europe/Berlin", "Asia/Tokyo", "Pacific/Auckland"),
    }),
    fc.record({ kind: fc.constant("remove" as const), which: fc.nat(9) }),
  ),
  { minLength: 4, maxLength: 8 },
)

const PROVIDERS = { phone: "phone", app: "apple_health", apple: "apple_health", takeout: "google_health" } as const

/** A step that brought something, and the import that has it. */
interface Brought {
  readonly step: number
  readonly provider: string
  readonly id: string
}

type Person = Awaited<ReturnType<typeof countingPerson>>

/** Runs the steps. @returns the person, and the steps without which it had come to the same */
async function live(service: TestService, steps: readonly Step[]) {
  const person = await countingPerson(service)
  const { member, token } = person
  let brought: Brought[] = []
  const gone = new Set<number>()
  const pushesOf = async (): Promise<string> => {
    const { imports } = await (await member.send("GET", "/api/imports")).json()
    const known = new Set(brought.map(({ id }) => id))
    const fresh = imports.filter(({ id }: { id: string }) => !known.has(id)).map(({ id }: { id: string }) => id)
    return fresh[0]
  }
  const changed = new Set<string>()
  for (const [index, step] of steps.entries()) {
    changed.clear()
    if (step.kind === "move") await person.moveTo(step.zone)
    else if (step.kind === "remove") {
      gone.add(index)
      const ids = [...new Set(brought.map(({ id }) => id))]
      const id = ids[step.which % Math.max(ids.length, 1)]
      if (id === undefined) continue
      expect((await member.send("DELETE", `/api/imports/${id}`)).status).toBe(204)
      for (const one of brought.filter((each) => each.id === id)) {
        gone.add(one.step)
        changed.add(one.provider)
      }
      brought = brought.filter((one) => one.id !== id)
    } else {
      const id = await bring(step)
      brought.push({ step: index, provider: PROVIDERS[step.kind], id })
      changed.add(PROVIDERS[step.kind])
    }
    for (const provider of changed)
      if (brought.some((one) => one.provider === provider)) await expectSums(person, provider)
  }
  return { person, providers: new Set(brought.map(({ provider }) => provider)), gone }

  async function bring(step: Exclude<Step, { kind: "move" | "remove" }>): Promise<string> {
    if (step.kind === "phone") {
      const records = [...step.counts.map(ofPhone), ...(step.night === null ? [] : rowsOfNight(step.night))]
      await pushed(service, { records }, { token })
    } else if (step.kind === "app") {
      const headers = step.grouping === null ? {} : { "automation-aggregation": step.grouping }
      await pushed(service, ofApp(step.counts, step.grouping === "Days"), { token, path: APP, headers })
    } else {
      const bytes = step.kind === "apple" ? ofApple(step.counts) : ofTakeout(step.counts)
      const done = await importedArchive(service.url, member, bytes)
      expect([done?.status, done?.error]).toEqual(["done", null])
      return done?.id ?? ""
    }
    const provider = PROVIDERS[step.kind]
    const former = brought.find((one) => one.provider === provider && steps[one.step]?.kind === step.kind)
    return former?.id ?? (await pushesOf())
  }
}

const expectSums = async (person: Person, provider: string): Promise<void> => {
  for (const type of ["steps", "active_energy", "distance"] as const) await person.sums(type, [FROM, TO], provider)
}

async function answersOf({ read }: Person, providers: ReadonlySet<string>): Promise<unknown[]> {
  const dates = `start_date=${FROM}&end_date=${TO}`
  const answers: unknown[] = []
  for (const provider of providers) {
    for (const type of ["summary", "sleep", "recovery", "cycle", "workout"])
      answers.push(await read(`/api/v1/health?type=${type}&${dates}&source=${provider}`))
    for (const type of ["steps", "active_energy", "distance", "heart_rate", "hrv", "sleep_stages"])
      answers.push(await read(`/api/v1/series?type=${type}&${dates}&resolution=raw&source=${provider}`))
  }
  if (providers.size > 0) answers.push(await read(`/api/v1/health?type=cycle&${dates}`))
  return answers
}

/** Expects that days have the sums of their series throughout, and that what was removed is as if it had never come. */
export async function expectTrueHistory(service: TestService, steps: readonly Step[]): Promise<void> {
  const { person, providers, gone } = await live(service, steps)
  const without = await live(
    service,
    steps.filter((_, index) => !gone.has(index)),
  )
  expect(without.providers).toEqual(providers)
  expect(await person.isEmpty()).toBe(providers.size === 0)
  expect(await answersOf(person, providers)).toEqual(await answersOf(without.person, providers))
}
