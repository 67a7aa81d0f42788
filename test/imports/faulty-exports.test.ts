// A faulty field in every list of Restwell's own export, one field in each entry: everything beside it is stored, and each loss is reported.
import { type OuraSimulator, startOuraSimulator } from "@restwell/simulator"
import { ouraArchive, whoopArchive } from "@restwell/testing/archive"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { importedArchive } from "./upload-archive.ts"

let service: TestService
let oura: OuraSimulator
let full: Document
beforeAll(async () => {
  service = await startTestService({ days: 24 })
  oura = await startOuraSimulator({ seed: 5, now: service.simulator.clock.now(), days: 24 })
  full = await fullExport()
})
afterAll(async () => {
  await service.close()
  await oura.close()
})

const INCLUDE = { private_topics: "include" }
const EntrySchema = z.record(z.string(), z.json())
type Entry = z.infer<typeof EntrySchema>
/** Lists whose entries are imported, and what names an entry in each. */
const KEYS = {
  records: ["provider", "kind", "provider_id"],
  journal: ["provider", "cycle_started_at", "question", "provider_id"],
  own_journal: ["date", "factor"],
  journal_notes: ["date"],
  series: ["provider", "type", "day", "device", "method", "record_id"],
  profiles: ["provider"],
} as const
type List = keyof typeof KEYS
const LISTS = ["records", "journal", "own_journal", "journal_notes", "series", "profiles"] as const satisfies List[]
const DocumentSchema = z.looseObject({
  records: z.array(EntrySchema),
  journal: z.array(EntrySchema),
  own_journal: z.array(EntrySchema),
  journal_notes: z.array(EntrySchema),
  series: z.array(EntrySchema),
  profiles: z.array(EntrySchema),
})
type Document = z.infer<typeof DocumentSchema>

const exportOf = async (member: Member): Promise<Document> =>
  DocumentSchema.parse(await (await member.send("GET", "/api/account/export")).json())

const signedUp = async () => {
  const member = new Member(service)
  await member.signUp()
  return member
}

async function restored(document: object) {
  const member = await signedUp()
  const done = await importedArchive(service.url, member, Buffer.from(JSON.stringify(document)), INCLUDE)
  expect(done).toMatchObject({ status: "done", error: null })
  return { report: done?.report, document: await exportOf(member) }
}

/** An export with entries in every list. */
async function fullExport(): Promise<Document> {
  const member = await signedUp()
  const person = oura.people.list()[0]
  const band = service.simulator.people.add({ email: "faulty@vendor.example" })
  if (!person) throw new Error("nobody at Oura")
  await importedArchive(service.url, member, whoopArchive(service.simulator.records(band)), INCLUDE)
  await importedArchive(service.url, member, ouraArchive(oura.records(person)), INCLUDE)
  const document = await exportOf(member)
  const dates = document.records.map(({ date }) => String(date)).slice(0, 30)
  return {
    ...document,
    own_journal: [...new Set(dates)].map((date) => ({ date, factor: "tea", title: "Tea", answer: true, value: 2 })),
    journal_notes: [...new Set(dates)].map((date) => ({ date, note: `Of ${date}` })),
  }
}

const keyOf = (list: List, entry: Entry): string => JSON.stringify(KEYS[list].map((field) => entry[field] ?? null))
const byKey = (list: List, { [list]: entries }: Document) =>
  // The deviation is derived from the nights before, of which some have another temperature.
  new Map(entries.map(({ skin_temp_deviation: _, ...entry }) => [keyOf(list, entry), entry]))

/** Paths of an entry. The vendor's payload may be any JSON, and of long lists all elements are alike. */
function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (path.at(-1) === "raw") return []
  if (typeof value !== "object" || value === null) return [path]
  return Object.entries(value)
    .slice(0, Array.isArray(value) ? 2 : undefined)
    .flatMap(([key, inner]) => pathsOf(inner, [...path, key]))
}

/** So that neighbouring entries have fields that are far apart. */
const STRIDE = 7
const NO_TEXTS = [1e300, "\u0000", { a: [] }, -7e8, [[]]]
const WRONG = [...NO_TEXTS, "many"]

const valueAt = (entry: Entry, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), entry)

function withWrong(entry: Entry, path: readonly string[], wrong: unknown): Entry {
  const copy = structuredClone(entry)
  Reflect.set(Object(valueAt(copy, path.slice(0, -1))), path.at(-1) ?? "", wrong)
  return copy
}

/** Lists of a value that have more than one member. The vendor's payload may be any JSON. */
function listsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null || path.at(-1) === "raw") return []
  const inner = Object.entries(value).flatMap(([key, each]) => listsOf(each, [...path, key]))
  return Array.isArray(value) ? (value.length > 1 ? [path] : []) : inner
}

const COLUMNS = ["offsets_seconds", "values", "durations_seconds", "utc_offsets_minutes"]

/** The entry without a member of one of its lists. A sample is in all columns of its day. */
function withoutMember(entry: Entry, [...path]: readonly string[], index: number): Entry {
  const copy = structuredClone(entry)
  const lists = COLUMNS.includes(path[0] ?? "") ? COLUMNS.map((column) => [column]) : [path]
  for (const each of lists) {
    const list = valueAt(copy, each)
    // A course keeps its intervals.
    if (Array.isArray(list) && each.at(-1) === "phases") list[index] = null
    else if (Array.isArray(list)) list.splice(index, 1)
  }
  return copy
}

test("a faulty member of a list costs itself alone, in each list of each entry, and is counted", async () => {
  const document = full
  const whole = await restored(document)
  const expected = new Map<string, Entry>()
  const faulty = { ...document }
  let planted = 0
  const withFault = (list: "records" | "series") => (entry: Entry) => {
    const lists = listsOf(entry)
    const path = lists[planted % Math.max(lists.length, 1)]
    const members = path && valueAt(entry, path)
    if (!path || !Array.isArray(members)) return entry
    const index = Math.floor(members.length / 2)
    const { skin_temp_deviation: _, ...rest } = withoutMember(entry, path, index)
    expected.set(keyOf(list, entry), rest)
    planted += 1
    return withWrong(entry, [...path, String(index)], ["\u0000", "", {}, [1]][planted % 4])
  }
  faulty.records = document.records.map(withFault("records"))
  faulty.series = document.series.map(withFault("series"))
  const found = await restored(faulty)
  for (const list of ["records", "series"] as const) {
    const [before, after] = [byKey(list, whole.document), byKey(list, found.document)]
    for (const [key, entry] of before) expect(after.get(key), key).toEqual(expected.get(key) ?? entry)
  }
  const reported = z.array(z.object({ reason: z.string(), count: z.int() })).parse(found.report.ignored)
  expect(planted).toBeGreaterThan(60)
  expect(reported.reduce((sum, { count }) => sum + count, 0)).toBe(planted)
}, 120_000)

test("a faulty member of the order of sources, and a faulty preference, cost themselves alone", async () => {
  const document = await exportOf(await signedUp())
  const cards = { trend_cards: ["hrv", 7, "steps"], days_off: ["friday", "friday"] }
  const user = { ...Object(document["user"]), units: "imperial", clock: "sundial", ...cards }
  const order = [{ type: "sleep", providers: ["oura", "tomorrow's", "whoop"] }]
  const { report, document: found } = await restored({ ...document, user, source_order: order })
  expect(found).toMatchObject({
    user: { units: "imperial", clock: null, days_off: null, trend_cards: ["hrv", "steps"] },
    source_order: [{ type: "sleep", providers: ["oura", "whoop"] }],
  })
  expect(report.ignored.map(({ count }: { count: number }) => count)).toEqual([1, 1, 1, 1])
})

test("a list that is none, and a field that all entries of a list lack, cost nothing of the other lists", async () => {
  const document = full
  const few = { ...document }
  for (const list of LISTS) few[list] = document[list].filter((_, index) => index % 12 === 0)
  const whole = await restored(few)
  for (const list of LISTS) {
    const columns = [...new Set(few[list].flatMap((entry) => Object.keys(entry)))]
    const changes = [
      ...[null, "none", { a: 7 }, [null, 7, "entry", [], {}]].map((value) => [JSON.stringify(value), value] as const),
      ...columns.map((column) => [column, few[list].map(({ [column]: _, ...entry }) => entry)] as const),
    ]
    // Each list meets some of them here.
    for (const [name, value] of changes.filter((_, index) => (index + list.length) % 14 === 0)) {
      const found = await restored({ ...few, [list]: value })
      for (const other of LISTS.filter((each) => each !== list))
        expect(byKey(other, found.document), `${list} with ${name}`).toEqual(byKey(other, whole.document))
    }
  }
}, 240_000)

test("a faulty field in each entry of each list costs itself or its entry, and every loss is reported", async () => {
  const document = full
  const whole = await restored(document)
  expect(whole.report.ignored).toEqual([])
  const planted = new Map<string, string>()
  const faulty = { ...document }
  for (const list of LISTS) {
    const counts = new Map<string, number>()
    faulty[list] = document[list].map((entry) => {
      // Each third entry of a kind has the next of its fields broken, each in another way. Those between have none.
      const kind = JSON.stringify([entry["kind"], entry["type"], entry["provider"]])
      const count = counts.get(kind) ?? 0
      counts.set(kind, count + 1)
      const turn = Math.floor(count / 3)
      const paths = pathsOf(entry)
      const path = paths[(turn * STRIDE) % paths.length]
      if (count % 3 !== 0 || !path) return entry
      const isNumber = ["number", "boolean"].includes(typeof valueAt(entry, path))
      const faults = isNumber ? WRONG : NO_TEXTS
      const wrong = faults[turn % faults.length]
      planted.set(keyOf(list, entry), `${path.join(".")}: ${JSON.stringify(wrong)}`)
      return withWrong(entry, path, wrong)
    })
  }
  const found = await restored(faulty)
  const lost: string[] = []
  for (const list of LISTS) {
    const [before, after] = [byKey(list, whole.document), byKey(list, found.document)]
    for (const [key, entry] of before) {
      if (!planted.has(key)) expect(after.get(key), `${list} ${key}`).toEqual(entry)
      else if (JSON.stringify(after.get(key)) !== JSON.stringify(entry)) lost.push(`${list} ${planted.get(key)}`)
    }
  }
  const reported = z.array(z.object({ reason: z.string(), count: z.int() })).parse(found.report.ignored)
  expect(lost.length).toBeGreaterThan(40)
  expect(
    reported.reduce((sum, { count }) => sum + count, 0),
    `${lost.join("\n")}\n\n${JSON.stringify(reported, null, 1)}`,
  ).toBeGreaterThanOrEqual(lost.length)
}, 240_000)
