import {
  gapsOf,
  SOURCE_TYPES,
  type SourceDifference,
  type SourceSettings,
  type SourceSettingsResponse,
  type SourceType,
  wholeMinutes,
} from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { MINUTE_MS } from "@restwell/client/time-units"
import { sql, type Transaction } from "kysely"
import { todayIn } from "../base/calendar.ts"
import { toTenth, toWhole } from "../base/rounding.ts"
import type { Context } from "../context/context.ts"
import { readTimeZone } from "../context/time-zone.ts"

import { type Database, growDataVersion, personTransaction } from "../store/database.ts"
import type { SourcePreferences } from "../store/record-tables.ts"
import { readStoredSources, readTrendRecords, type StoredSource } from "../store/statements/read-trend-rows.ts"
import { namesByAge } from "../store/statements/source-age.ts"
import { asleepMsOf, methodOfHrv, type StoredRecord } from "../store/stored-record.ts"
import { type Choice, chooseSources, withWholeNightChoices } from "./choose.ts"
import { inOrder } from "./rank.ts"

type Readable = Pick<Context, "database" | "clock">

/** The dates and types on which two sources differ by more than measurements do, newest first. @param order of the person's sources */
function differencesIn(choices: readonly Choice<StoredRecord>[], order: readonly string[]): SourceDifference[] {
  const compared = choices.filter(({ fact }) => fact.kind === "recovery" || isNight(fact))
  return [...Map.groupBy(compared, ({ fact }) => `${fact.date} ${fact.kind}`).values()]
    .flatMap((ofDate) => {
      const type = ofDate[0]?.fact.kind
      const date = ofDate[0]?.fact.date
      if ((type !== "sleep" && type !== "recovery") || date === undefined) return []
      const values = [...Map.groupBy(ofDate, ({ fact }) => fact.provider)]
        .map(([source, own]) => figuresOf(source, own))
        .toSorted((one, other) => order.indexOf(one.source) - order.indexOf(other.source))
      return Object.values(gapsOf(values)).some(({ isFar }) => isFar) ? [{ type, date, values }] : []
    })
    .toSorted((one, other) =>
      one.date === other.date ? (one.type < other.type ? -1 : 1) : one.date < other.date ? 1 : -1,
    )
}

const isNight = (fact: StoredRecord): boolean => fact.kind === "sleep" && !fact.isNap

/** The figures of one source on one date. Two nights of a date have their sum. */
function figuresOf(source: string, choices: readonly Choice<StoredRecord>[]): SourceDifference["values"][number] {
  const facts = choices.map(({ fact }) => fact)
  const asleep = facts.flatMap((fact) => {
    return fact.kind === "sleep" ? (asleepMsOf(fact) ?? []) : []
  })
  const asleepMinutes = asleep.reduce((sum, each) => sum + each, 0) / MINUTE_MS
  const recovery = facts.find((fact) => fact.kind === "recovery")
  return {
    source,
    chosen: choices.some(({ because }) => because !== null),
    chosen_because: choices.find(({ because }) => because !== null)?.because ?? null,
    // Minutes of the hours that every other answer has.
    asleep_minutes: asleep.length > 0 ? wholeMinutes(asleepMinutes / 60) : null,
    resting_heart_rate: toWhole(recovery?.restingHeartRateBpm),
    hrv: toTenth(recovery?.hrvMs),
    hrv_method: recovery ? methodOfHrv(recovery) : null,
  }
}

/** Dates with differences that are shown. */
const SHOWN_DATES = 90
/** Dates that are read at once. */
const WINDOW_DATES = 180

/** The person's order and choices, and the newest dates on which sources differ. Sources that agree are compared over all their dates. */
export async function readSourceSettings(context: Readable, userId: string): Promise<SourceSettingsResponse> {
  const [preferences, stored] = await Promise.all([
    readSourcePreferences(context, userId),
    readStoredSources(context, userId),
  ])
  const sources = stored.filter(({ status }) => status !== "disconnected")
  return {
    order: {
      sleep: listed(preferences, "sleep"),
      recovery: listed(preferences, "recovery"),
      workout: listed(preferences, "workout"),
      cycle: listed(preferences, "cycle"),
    },
    default_order: inOrder(sources, undefined).map(({ provider }) => provider),
    choices: preferences.choices.map(({ provider, ...choice }) => ({ ...choice, source: provider })),
    differences: await readDifferences(context, userId, { preferences, sources }),
  }
}

const listed = ({ order }: SourcePreferences, type: SourceType): string[] => [...(order[type] ?? [])]

/** Goes back from today until there are enough dates, or no date has two sources. */
async function readDifferences(
  context: Readable,
  userId: string,
  { preferences, sources }: { readonly preferences: SourcePreferences; readonly sources: readonly StoredSource[] },
): Promise<SourceDifference[]> {
  const zone = await readTimeZone(context, userId)
  const order = inOrder(sources, preferences.order.sleep).map(({ provider }) => provider)
  // Before the second oldest source there is nothing to compare.
  const since = sources.flatMap(({ oldestDate }) => (oldestDate === null ? [] : [oldestDate])).toSorted()[1]
  const found: SourceDifference[] = []
  let to = addDays(todayIn(zone, context.clock.now()), 1)
  while (since !== undefined && to >= since && new Set(found.map(({ date }) => date)).size < SHOWN_DATES) {
    const from = addDays(to, 1 - WINDOW_DATES)
    const facts = await readTrendRecords(context, { userId, providers: order, kinds: ["sleep", "recovery"], from, to })
    const choices = withWholeNightChoices(chooseSources(facts, preferences)).filter(
      ({ fact }) => fact.date >= from && fact.date <= to,
    )
    found.push(...differencesIn(choices, order))
    to = addDays(from, -1)
  }
  const shown = new Set([...new Set(found.map(({ date }) => date))].slice(0, SHOWN_DATES))
  return found.filter(({ date }) => shown.has(date))
}

/** What the person set: the order by type, and the sources of single dates, newest first. */
export async function readSourcePreferences(
  { database }: Pick<Context, "database">,
  userId: string,
): Promise<SourcePreferences> {
  const [orders, choices, connected] = await Promise.all([
    database.selectFrom("source_order").select(["type", "providers"]).where("user_id", "=", userId).execute(),
    database
      .selectFrom("source_choice")
      .select((row) => ["type", sql<string>`${row.ref("date")}::text`.as("date"), "provider"])
      .where("user_id", "=", userId)
      .orderBy("source_choice.date", "desc")
      .orderBy("type")
      .execute(),
    database
      .selectFrom("connection")
      .select((row) => ["provider", row.fn.coalesce("first_connected_at", "connected_at").as("addedAt")])
      .where("user_id", "=", userId)
      .where("status", "<>", "disconnected")
      .execute(),
  ])
  return {
    order: Object.fromEntries(orders.map(({ type, providers }) => [type, providers])),
    choices,
    connected: namesByAge(connected),
  }
}

/** Stores the keys that are given: the order of each type, and all choices. Every answer that is read afterwards follows them. */
export async function writeSourcePreferences(
  { database }: Pick<Context, "database">,
  userId: string,
  settings: SourceSettings,
): Promise<void> {
  await personTransaction(database, userId, async (transaction) => {
    // First, so that two such changes wait for each other.
    await growDataVersion(transaction, userId)
    await writeOrder(transaction, userId, settings.order ?? {})
    if (settings.choices) await writeChoices(transaction, userId, settings.choices)
  })
}

async function writeOrder(
  transaction: Transaction<Database>,
  userId: string,
  order: NonNullable<SourceSettings["order"]>,
): Promise<void> {
  const types = SOURCE_TYPES.filter((type) => order[type] !== undefined)
  if (types.length === 0) return
  await transaction.deleteFrom("source_order").where("user_id", "=", userId).where("type", "in", types).execute()
  const rows = SOURCE_TYPES.flatMap((type) => {
    const providers = order[type] ?? []
    return providers.length === 0 ? [] : [{ user_id: userId, type, providers }]
  })
  if (rows.length > 0) await transaction.insertInto("source_order").values(rows).execute()
}

async function writeChoices(
  transaction: Transaction<Database>,
  userId: string,
  choices: NonNullable<SourceSettings["choices"]>,
): Promise<void> {
  await transaction.deleteFrom("source_choice").where("user_id", "=", userId).execute()
  if (choices.length === 0) return
  const rows = choices.map(({ type, date, source }) => ({ user_id: userId, type, date, provider: source }))
  await transaction.insertInto("source_choice").values(rows).execute()
}
