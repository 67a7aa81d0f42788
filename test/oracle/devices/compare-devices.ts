/*
 * People who wear several of the simulated devices, connect some and upload the archives of others, and put their sources in an order. The
 * answers over HTTP are compared with those of the oracle for several sources, for what the devices truly recorded.
 */
import type { NormalizedRecord } from "@restwell/providers"
import {
  type AppleElement,
  appleArchive,
  appleRows,
  asMeasuredBy,
  garminArchive,
  garminRows,
  type OuraRecords,
  officeWorker,
  type Person,
  takeoutArchive,
  takeoutRows,
} from "@restwell/simulator"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService, UNLIMITED_QUOTA } from "@restwell/testing/service"
import { expect } from "vitest"
import { z } from "zod"
import { importedArchive } from "../../imports/upload-archive.ts"
import type { Weighing } from "../insights/daily-values.ts"
import { expectedAnswer } from "../insights/expected.ts"
import { differences } from "../insights/figure.ts"
import { Dice } from "../several/dice.ts"
import { expectedFrom, type SourceQuery } from "../several/expected.ts"
import { Ledger } from "../several/ledger.ts"
import { type Choice, keyOf, Truth } from "../several/truth.ts"
import { keptByApple, keptByFitbit, keptByGarmin } from "./archived.ts"
import { recordedByOura, recordedByWhoop } from "./connected.ts"
import { ZONE } from "./records.ts"

const NOW = new Date("2026-11-06T10:00:00Z")
const DAY_MS = 86_400_000
const LONGEST_DAYS = 365

/** The person never leaves their zone, so a row names it and no fixed offset. */
const atHome = ({ within = "", ...element }: AppleElement): AppleElement => ({
  ...element,
  within: within.replaceAll(/(HKTimeZone" value=")[^"]*/g, `$1${ZONE}`),
})

const ARCHIVES = {
  garmin: { zip: (all: OuraRecords) => garminArchive(garminRows(all)), kept: keptByGarmin },
  google_health: { zip: (all: OuraRecords) => takeoutArchive(takeoutRows(all)), kept: keptByFitbit },
  apple_health: {
    zip: (all: OuraRecords) => appleArchive(appleRows(all).map(atHome), { exportDate: "2026-11-06 12:00:00 +0200" }),
    kept: keptByApple,
  },
} as const
type ArchiveName = keyof typeof ARCHIVES
export type DeviceName = ArchiveName | "whoop" | "oura"
const isArchive = (device: DeviceName): device is ArchiveName => device in ARCHIVES

const KINDS = ["sleep", "recovery", "workout", "cycle"] as const
type Kind = (typeof KINDS)[number]

/** Somebody who has lived a number of days with some devices. */
export interface Wearer {
  readonly seed: number
  readonly days: number
  readonly devices: readonly DeviceName[]
  /** Nights and days, out of 100, without the devices whose archives are uploaded. */
  readonly unworn: number
  readonly order?: Partial<Record<Kind, readonly DeviceName[]>>
  /** Dates with a choice of their own. */
  readonly choices?: number
}

/** One to five devices, and every form of preference. */
export function someWearer(seed: number): Wearer {
  const dice = new Dice(seed)
  const all = ["whoop", "oura", "garmin", "google_health", "apple_health"] as const
  const devices = dice.shuffled(all).slice(0, 1 + dice.below(all.length))
  const order = Object.fromEntries(
    KINDS.flatMap((kind) => dice.maybe(40, () => [[kind, dice.shuffled(devices)] as const]) ?? []),
  )
  return {
    seed,
    days: dice.pick([30, 60, 100, 200, LONGEST_DAYS]),
    devices,
    unworn: dice.pick([0, 5, 30]),
    order,
    choices: dice.pick([0, 0, 6]),
  }
}

/** Somebody with what their devices recorded and their answers. */
export interface Worn {
  readonly wearer: Wearer
  readonly ledger: Ledger
  read(path: string, query: object): Promise<unknown>
  /** Differences of all answers to all that the oracle can check, each with its question. */
  differences(): Promise<string[]>
}

/** Random people, each with the differences that were found. */
export async function compareWearers(firstSeed: number, people: number): Promise<string[]> {
  const stage = await DeviceStage.open()
  const found: string[] = []
  try {
    for (let seed = firstSeed; seed < firstSeed + people; seed += 1)
      found.push(...(await (await stage.wear(someWearer(seed))).differences()))
  } finally {
    await stage.close()
  }
  return found
}

export class DeviceStage {
  readonly #service: TestService

  private constructor(service: TestService) {
    this.#service = service
  }

  static async open(): Promise<DeviceStage> {
    const options = { vendor: "oura", now: NOW, isStill: true, environment: UNLIMITED_QUOTA } as const
    return new DeviceStage(await startTestService(options))
  }

  close(): Promise<void> {
    return this.#service.close()
  }

  async wear(wearer: Wearer): Promise<Worn> {
    const service = this.#service
    const person = service.simulator.people.add({
      email: `wearer-${wearer.seed}@vendor.example`,
      days: wearer.days,
      traits: { ...officeWorker, homeZone: ZONE, life: { ...officeWorker.life, tripsPerYear: 0, gapsPerYear: 6 } },
    })
    const member = new Member(service)
    await member.signUp()
    await member.send("PUT", "/api/account/preferences", {
      units: "metric",
      clock: "24h",
      first_weekday: "monday",
      time_zone: ZONE,
    })
    const truth = new Truth()
    for (const device of wearer.devices) await this.#put(device, { member, person, wearer, truth })
    truth.changed()
    const ledger = new Ledger(truth)
    await prefer(member, wearer, ledger)
    const key = await member.newKey()
    const read = async (path: string, query: object) => {
      const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
      const response = await fetch(`${service.url}/api/v1/${path}?${search}`, {
        headers: { authorization: `Bearer ${key}` },
      })
      const text = await response.text()
      expect(response.status, `${path}?${search}: ${text}`).toBe(200)
      return JSON.parse(text)
    }
    return { wearer, ledger, read, differences: () => differencesOf({ wearer, ledger, read }) }
  }

  async #put(
    device: DeviceName,
    { member, person, wearer, truth }: { member: Member; person: Person; wearer: Wearer; truth: Truth },
  ): Promise<void> {
    const service = this.#service
    if (isArchive(device)) {
      const documents = asMeasuredBy(device, someDays(service.simulatorOf("oura").records(person), wearer, device))
      const done = await importedArchive(service.url, member, ARCHIVES[device].zip(documents))
      expect(done?.status, String(done?.error)).toBe("done")
      // The thread of imports has a clock that goes on, and begins anew with each thread. Which source is there longest decides among equals.
      await service.store.pool.query(
        `update restwell.connection c set connected_at = $1 from restwell."user" u
         where u.id = c.user_id and u.email = $2 and c.provider = $3`,
        [NOW, member.email, device],
      )
      add(truth, device, ARCHIVES[device].kept(documents, NOW))
      return
    }
    await member.connect(person, device)
    await member.untilHistoryIsComplete()
    const recorded =
      device === "whoop"
        ? recordedByWhoop(service.simulator.records(person))
        : recordedByOura(service.simulatorOf("oura").records(person), NOW)
    add(truth, device, recorded)
  }
}

function add(truth: Truth, provider: DeviceName, records: readonly NormalizedRecord[]): void {
  const fromArchive = isArchive(provider)
  const known = records.map((record) => [keyOf(record), { record, fromArchive }] as const)
  truth.sources.push({
    provider,
    // The clock stands still, so all are of one age.
    connectedAt: NOW,
    status: fromArchive ? "archive" : "ok",
    lastSyncedAt: fromArchive ? null : NOW,
    profile: null,
    records: new Map(known),
  })
}

/** Without the days on which a device was in a drawer. */
function someDays(all: OuraRecords, { seed, unworn }: Wearer, device: DeviceName): OuraRecords {
  const dice = new Dice(seed * 31 + device.length)
  const left = new Set(all.daily_activity.flatMap(({ day }) => (dice.percent(unworn) ? [] : [day])))
  const worn = <Document extends { day: string }>(documents: readonly Document[]) =>
    documents.filter(({ day }) => left.has(day))
  return {
    ...all,
    sleep: worn(all.sleep),
    daily_sleep: worn(all.daily_sleep),
    daily_readiness: worn(all.daily_readiness),
    daily_spo2: worn(all.daily_spo2),
    daily_activity: worn(all.daily_activity),
    workout: worn(all.workout),
  }
}

async function prefer(member: Member, { seed, order = {}, choices = 0, devices }: Wearer, ledger: Ledger) {
  const dice = new Dice(seed + 1)
  const chosen: Choice[] = KINDS.flatMap((type) => {
    const dates = [...new Set(ledger.measured()[type].map(({ date }) => date))]
    return dice
      .shuffled(dates)
      .slice(0, choices)
      .map((date) => ({ type, date, source: dice.pick(devices) }))
  })
  const response = await member.send("PUT", "/api/account/sources", { order, choices: chosen })
  expect(response.status, await response.text()).toBe(200)
  ledger.truth.order = { ...ledger.truth.order, ...order }
  ledger.truth.choices = chosen
  ledger.truth.changed()
}

/** What a record of an answer says, apart from ids and names that only the vendor's own files have, and a pace, which is of a sport. */
const OF_THE_FILE = ["id", "cycle_id", "device", "sport_type", "pace_seconds_per_km", "zones"]
const SourceSchema = z.object({ provider: z.string() }).nullable()
const RecordSchema = z
  .looseObject({
    date: z.string(),
    source: z.string(),
    others: z.array(z.object({ field: z.string(), source: z.string() })).optional(),
  })
  .transform(({ others, ...record }) => ({
    ...Object.fromEntries(Object.entries(record).filter(([name]) => !OF_THE_FILE.includes(name))),
    ...(others && { others: others.filter(({ field }) => !OF_THE_FILE.includes(field)) }),
  }))
const ListSchema = z
  .looseObject({ records: z.array(RecordSchema), count: z.number(), source: SourceSchema })
  .transform(({ records, count, source }) => ({
    records: Object.fromEntries(
      records
        .map((record) => JSON.stringify(record))
        .toSorted()
        .map((text, index) => [index, JSON.parse(text)]),
    ),
    count,
    source: source?.provider ?? null,
  }))
const SummarySchema = z
  .looseObject({ period: z.unknown(), sleep: z.unknown(), recovery: z.unknown(), strain: z.unknown() })
  .transform(({ period, sleep, recovery, strain }) => ({ period, sleep, recovery, strain }))
const BodySchema = z.union([ListSchema, SummarySchema])

const METRICS = ["asleep", "hrv", "resting_heart_rate", "recovery_score", "sleep_performance", "steps", "strain"]
const MOST_DAYS = 90

async function differencesOf({ wearer, ledger, read }: Pick<Worn, "wearer" | "ledger" | "read">): Promise<string[]> {
  const found: string[] = []
  const judge = (question: object, expected: unknown, answered: unknown) => {
    if (JSON.stringify(expected) === JSON.stringify(answered)) return
    for (const each of differences(JSON.parse(JSON.stringify(expected)), answered))
      found.push(`seed ${wearer.seed}: ${JSON.stringify(question)} ${each}`)
  }
  for (const query of questionsFor(wearer)) {
    const expected = expectedFrom(ledger, NOW, query)
    const body = await read("health", query)
    judge(query, "body" in expected ? BodySchema.parse(expected.body) : expected, BodySchema.parse(body))
  }
  for (const metric of METRICS) {
    const question = { path: "trend", query: { metric, days: String(wearer.days) } } as const
    const expected = expectedAnswer({ ledger, journal: [], weighings: stepsOf(ledger), home: null }, NOW, question)
    if (!("body" in expected)) throw new Error(`the oracle refuses ${metric}`)
    for (const each of differences(expected.body, await read("trend", question.query)))
      found.push(`seed ${wearer.seed}: ${metric} ${each}`)
  }
  return found
}

const isCounted = (provider: string): boolean => provider === "apple_health" || provider === "google_health"

/** Archives with steps within the day have the same sums as their days. A day that is not over has none. */
const stepsOf = (ledger: Ledger): Weighing[] =>
  ledger.measured().cycle.flatMap(({ provider, record }) =>
    isCounted(provider) && record.steps !== undefined && record.endMs !== null && record.endMs <= NOW.getTime()
      ? [
          {
            provider,
            type: "steps" as const,
            atMs: record.startMs + DAY_MS / 2,
            offsetMinutes: record.utcOffsetMinutes,
            value: record.steps,
          },
        ]
      : [],
  )

/** The dates of a history in parts that one answer may have. */
export const windowsOf = ({ days }: Pick<Wearer, "days">): { end_date: string; days: number }[] =>
  Array.from({ length: Math.ceil(days / MOST_DAYS) }, (_, index) => ({
    end_date: new Date(NOW.getTime() - index * MOST_DAYS * DAY_MS).toISOString().slice(0, 10),
    days: MOST_DAYS,
  }))

/** All types over the whole history, chosen, of all sources, and of each one alone. */
function questionsFor(wearer: Wearer): SourceQuery[] {
  const sources = [undefined, "all", ...wearer.devices].map((source) => (source === undefined ? {} : { source }))
  return [...KINDS, "summary" as const].flatMap((type) =>
    windowsOf(wearer).flatMap((window) => sources.map((source) => ({ type, ...window, ...source }))),
  )
}
