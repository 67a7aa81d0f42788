import { figuresOf } from "../measuring/compare.ts"
import { openTable } from "../measuring/table.ts"
import type { Spent } from "./cost.ts"
import type { DiskSpeed } from "./disk-speed.ts"
import { inBusiestHour, KIND_NAMES, type KindName, RATES, type Rate, vendorRooms } from "./rates.ts"

const DAY_SECONDS = 86_400
const HOUR_SECONDS = 3_600
const KB = 1_000
const GB = 1e9

export type Costs = Readonly<Record<KindName, Spent>>

/** What one operation of a kind costs. */
const each = ({ operations, serviceMs, databaseMs, walBytes, walSyncs }: Spent) => ({
  serviceMs: serviceMs / operations,
  databaseMs: databaseMs / operations,
  coreMs: (serviceMs + databaseMs) / operations,
  walKb: walBytes / operations / KB,
  syncs: walSyncs / operations,
})

/** The first sync is one operation more, beside those of a day. */
export function printCosts(costs: Costs, firstSync: Spent): void {
  const row = openTable("One operation", [
    "operation",
    "measured",
    "a second",
    "p50 ms",
    "p99 ms",
    "service ms",
    "PostgreSQL ms",
    "core ms",
    "WAL kB",
    "syncs",
  ])
  const print = (title: string, spent: Spent): void => {
    const { operations, elapsedMs, timesMs } = spent
    const { serviceMs, databaseMs, coreMs, walKb, syncs } = each(spent)
    const { p50Ms, p99Ms } = figuresOf([{ elapsedMs, timesMs }])
    row([
      title,
      operations,
      ((1_000 * operations) / elapsedMs).toFixed(0),
      ...(timesMs.length > 0 ? [p50Ms.toFixed(2), p99Ms.toFixed(2)] : ["", ""]),
      ...[serviceMs, databaseMs, coreMs].map((ms) => ms.toFixed(2)),
      walKb.toFixed(1),
      syncs.toFixed(2),
    ])
  }
  print("first sync of a new person", firstSync)
  for (const name of KIND_NAMES) print(RATES[name].title, costs[name])
}

/** What a person takes. */
interface Load {
  readonly coreMs: number
  readonly walKb: number
  readonly syncs: number
}

/** How often a kind happens to a person in a time. */
type TimesOf = (rate: Rate) => number

const loadOf = (costs: Costs, timesOf: TimesOf): Load =>
  KIND_NAMES.reduce(
    (sum, name) => {
      const times = timesOf(RATES[name])
      const { coreMs, walKb, syncs } = each(costs[name])
      return {
        coreMs: sum.coreMs + times * coreMs,
        walKb: sum.walKb + times * walKb,
        syncs: sum.syncs + times * syncs,
      }
    },
    { coreMs: 0, walKb: 0, syncs: 0 },
  )

const withWebhooks: TimesOf = ({ perDay }) => perDay
const polled: TimesOf = ({ perDay, perDayPolled = perDay }) => perDayPolled

/** A person's day, kind by kind. */
export function printDay(costs: Costs): void {
  const row = openTable("A person's day", [
    "operation",
    "a day",
    "polled",
    "core ms a day",
    "WAL kB a day",
    "where the rate is from",
  ])
  for (const name of KIND_NAMES) {
    const rate: Rate = RATES[name]
    const { coreMs, walKb } = each(costs[name])
    const times = Math.max(withWebhooks(rate), polled(rate))
    row([
      rate.title,
      withWebhooks(rate),
      polled(rate),
      (times * coreMs).toFixed(0),
      (times * walKb).toFixed(0),
      rate.from,
    ])
  }
  for (const [title, timesOf] of [
    ["all, with webhooks", withWebhooks],
    ["all, polled", polled],
  ] as const) {
    const { coreMs, walKb } = loadOf(costs, timesOf)
    row([title, "", "", coreMs.toFixed(0), walKb.toFixed(0), ""])
  }
}

export interface Size {
  /** Bytes on disk of a person with this many days. */
  readonly bytesPerPerson: number
  readonly days: number
}

/** How many people each part carries, and what runs out first. */
export function printPeople(costs: Costs, disk: DiskSpeed, { bytesPerPerson, days }: Size): void {
  const row = openTable("What carries how many people", ["part", "has", "a person takes", "people"])
  const vendors = vendorRooms().map(({ vendor, limit, calls, people }) => ({
    title: `calls of one app: ${vendor}`,
    has: `${limit} a day`,
    takes: `${calls} a day`,
    people,
  }))
  const machine = [
    ...carriedByCore(costs, "with webhooks", withWebhooks),
    ...carriedByCore(costs, "polled", polled),
    ...carriedByDisk(costs, disk),
    {
      title: `1 TB of disk, ${days} days of records`,
      has: "1,000 GB",
      takes: `${(bytesPerPerson / KB).toFixed(0)} kB`,
      people: Math.floor((1_000 * GB) / bytesPerPerson),
    },
  ]
  for (const { title, has, takes, people } of [...vendors, ...machine]) row([title, has, takes, people])
  const first = (all: readonly Carried[]): string => {
    const [scarcest] = all.toSorted((one, other) => one.people - other.people)
    return `${scarcest?.title}, at ${scarcest?.people} people`
  }
  process.stdout.write(
    `\nOf the vendors' limits the first to run out is: ${first(vendors)}. Of the machine: ${first(machine)}.\n`,
  )
}

interface Carried {
  readonly title: string
  readonly has: string
  readonly takes: string
  readonly people: number
}

const busiestHour = (costs: Costs, timesOf: TimesOf): Load =>
  loadOf(costs, (rate) => inBusiestHour(rate, timesOf(rate)))

function carriedByCore(costs: Costs, title: string, timesOf: TimesOf): Carried[] {
  const day = loadOf(costs, timesOf)
  const hour = busiestHour(costs, timesOf)
  return [
    {
      title: `one core, ${title}, evenly over the day`,
      has: `${DAY_SECONDS} s`,
      takes: `${(day.coreMs / 1_000).toFixed(2)} s`,
      people: Math.floor((DAY_SECONDS * 1_000) / day.coreMs),
    },
    {
      title: `one core, ${title}, the busiest hour`,
      has: `${HOUR_SECONDS} s`,
      takes: `${(hour.coreMs / 1_000).toFixed(2)} s`,
      people: Math.floor((HOUR_SECONDS * 1_000) / hour.coreMs),
    },
  ]
}

function carriedByDisk(costs: Costs, { syncsPerSecond, bytesPerSecond }: DiskSpeed): Carried[] {
  const { syncs, walKb } = busiestHour(costs, withWebhooks)
  const writableKb = bytesPerSecond / KB
  return [
    {
      title: "syncs of one disk, the busiest hour",
      has: `${syncsPerSecond.toFixed(0)} a second`,
      takes: `${syncs.toFixed(1)} an hour`,
      people: Math.floor((HOUR_SECONDS * syncsPerSecond) / syncs),
    },
    {
      title: "write-ahead log on one disk, the busiest hour",
      has: `${(writableKb / KB).toFixed(0)} MB/s`,
      takes: `${walKb.toFixed(0)} kB an hour`,
      people: Math.floor((HOUR_SECONDS * writableKb) / walKb),
    },
  ]
}
