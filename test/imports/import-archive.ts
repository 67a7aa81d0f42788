import type { Import } from "@restwell/client"
import { listImports, receiveImport, runImports } from "@restwell/core"
import { type OuraRecords, startOuraSimulator } from "@restwell/simulator"
import type { World } from "@restwell/testing/world"
import { expect } from "vitest"

export interface Upload {
  readonly bytes: Buffer
  readonly fileName?: string
  readonly includesPrivate?: boolean
}

/** Uploads an archive, which waits then. @returns its id */
export function receiveArchive({ context }: Pick<World, "context">, userId: string, upload: Upload): Promise<string> {
  const { bytes, fileName = "my_whoop_data.zip", includesPrivate = false } = upload
  const content = (async function* () {
    for (let start = 0; start < bytes.length; start += 60_000) yield bytes.subarray(start, start + 60_000)
  })()
  return receiveImport(context, { userId, fileName, content, includesPrivate: () => includesPrivate })
}

/** Uploads an archive and reads it to its end. */
export async function importArchive({ context }: Pick<World, "context">, userId: string, upload: Upload) {
  const id = await receiveArchive({ context }, userId, upload)
  await runImports(context, { signal: new AbortController().signal })
  return readImport({ context }, userId, id)
}

export async function readImport({ context }: Pick<World, "context">, userId: string, id: string) {
  const found = (await listImports(context, userId)).find((listed) => listed.id === id)
  if (!found) throw new Error("the import is not listed")
  return found
}

export type { Import }

/** An archive that is broken as a whole stores nothing. @param words what the message says */
export async function expectFailedImport(world: World, upload: Upload, words: RegExp): Promise<void> {
  const userId = await world.addUser()
  const { status, error, report, id } = await importArchive(world, userId, upload)
  expect({ status, report }, String(error)).toEqual({ status: "failed", report: null })
  expect(error).toMatch(words)
  // The sentence ends in what the person can do.
  expect(error).toMatch(/\bupload (?:it|the|without|an export|what is inside)\b/i)
  expect(error).not.toMatch(/\n|undefined|at .*\(/)
  await world.store.pool.query("delete from restwell.import where id = $1", [id])
  expect(await everythingOf(world, userId)).toBe(await everythingOf(world, await world.addUser()))
}

/** The first and the last of some dates, as a report names them. */
export const spanOf = (dates: readonly string[]) => ({
  from_date: dates.toSorted()[0],
  to_date: dates.toSorted().at(-1),
})

/** UTC days of what a ring measured within its nights. */
export const measuredDays = (nights: OuraRecords["sleep"], name: "hrv" | "heart_rate"): string[] =>
  nights.flatMap(({ [name]: found }) =>
    (found?.items ?? []).flatMap((item, index) =>
      found && item !== null
        ? [new Date(Date.parse(found.timestamp) + index * found.interval * 1_000).toISOString().slice(0, 10)]
        : [],
    ),
  )

/** Names by the digit of a ring. */
const PHASES: Readonly<Record<string, string>> = { "1": "deep", "2": "light", "3": "rem", "4": "awake" }
const DRAWN_MS = 120_000

/** The phases by which a ring's night is drawn where another source has it: each has two minutes, and the phase of its middle. */
export function phasesOf(night: OuraRecords["sleep"][number]): (string | undefined)[] {
  const { sleep_phase_5_min: digits, bedtime_start: start, bedtime_end: end } = night
  const lengthMs = Date.parse(end) - Date.parse(start)
  return Array.from({ length: Math.ceil(lengthMs / DRAWN_MS) }, (_, index) => {
    const middleMs = (index * DRAWN_MS + Math.min((index + 1) * DRAWN_MS, lengthMs)) / 2
    return PHASES[digits?.[Math.floor(middleMs / 300_000)] ?? ""]
  })
}

/** Minutes asleep of a ring's night, counted in its phases up to its end. */
export function asleepMinutesOf({
  bedtime_start: start,
  bedtime_end: end,
  sleep_phase_5_min: phases,
}: OuraRecords["sleep"][number]): number {
  const minutes = (Date.parse(end) - Date.parse(start)) / 60_000
  return [...(phases ?? "")].reduce(
    (sum, phase, index) => sum + (phase === "4" ? 0 : Math.max(0, Math.min(5, minutes - 5 * index))),
    0,
  )
}

/** The stored phases of each night that has any, by date. */
export async function coursesOf({ store }: Pick<World, "store">, userId: string) {
  const { rows } = await store.pool.query<{ date: string; phases: string[] }>(
    `select date::text, course->'phases' as phases from restwell.record
     where user_id = $1 and kind = 'sleep' and course is not null and (detail->>'isNap')::boolean = false`,
    [userId],
  )
  return Object.fromEntries(rows.map(({ date, phases }) => [date, phases]))
}

/** Both logs only grow, and every change of answers raises the data version. */
const LOGS = ["access_log", "security_event"]
const GROWING = ["data_version", "status_changed_at"]

/** All rows of a person in every table, as text. */
export async function everythingOf({ store }: Pick<World, "store">, userId: string): Promise<string> {
  const tables = await store.pool.query<{ name: string }>(
    `select t.table_name as name from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
     where table_schema = 'restwell' and t.table_type = 'BASE TABLE' and c.column_name = 'user_id' and t.table_name <> all ($1)
     order by name`,
    [LOGS],
  )
  const rows = tables.rows.map(async ({ name }) => {
    const found = await store.pool.query<{ row: string }>(
      `select (to_jsonb(r) - 'user_id' - $2::text[])::text as row from restwell.${name} r where user_id = $1 order by 1`,
      [userId, GROWING],
    )
    return [name, found.rows.map(({ row }) => row)] as const
  })
  return JSON.stringify(Object.fromEntries(await Promise.all(rows)), null, 1)
}

/** What a ring recorded until now, for archives of other devices that measured the same. */
export async function ringDocuments({ simulator }: Pick<World, "simulator">, days: number): Promise<OuraRecords> {
  const oura = await startOuraSimulator({ seed: 5, now: simulator.clock.now(), days })
  const [first] = oura.people.list()
  if (!first) throw new Error("nobody at Oura")
  const documents = oura.records(first)
  await oura.close()
  return documents
}

/** Stored records of a source and a kind with their dates, oldest first. */
export async function storedRecordsOf(
  { store }: Pick<World, "store">,
  userId: string,
  { provider, kind }: { readonly provider: string; readonly kind: string },
): Promise<(Readonly<Record<string, unknown>> & { readonly date: string })[]> {
  const { rows } = await store.pool.query<{ record: string; date: string }>(
    `select restwell.stored_record(r, r.detail) as record, date::text from restwell.record r
     where user_id = $1 and provider = $2 and kind = $3 order by started_at`,
    [userId, provider, kind],
  )
  return rows.map(({ record, date }) => ({ ...JSON.parse(record), date }))
}
