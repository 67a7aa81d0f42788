// Tags of the simulated Oura as entries of a journal.
import { type OuraSimulator, type OuraSimulatorOptions, startOuraSimulator } from "@restwell/simulator"
import { expect, test } from "vitest"
import { createOuraAdapter, type JournalEntry, type JournalWindow, type OauthAdapter } from "../src/index.ts"
import { adapterUnderTest } from "./adapter-under-test.ts"
import { connect, simulatorCredentials } from "./connect.ts"
import { json, startScriptedVendor } from "./scripted-vendor.ts"

const LENA = "lena@example.com"
const WINDOW = { from: "2026-09-01", to: "2026-11-20" }

async function withPerson(
  options: OuraSimulatorOptions,
  run: (simulator: OuraSimulator, adapter: OauthAdapter, accessToken: string) => Promise<void>,
): Promise<void> {
  const simulator = await startOuraSimulator({
    seed: 7,
    now: new Date("2026-11-20T12:00:00Z"),
    days: 120,
    autoApprove: true,
    rateLimits: "off",
    ...options,
  })
  try {
    const { adapter } = adapterUnderTest(simulator.url, simulatorCredentials(simulator), (given) =>
      createOuraAdapter({ ...given, now: () => simulator.clock.now() }),
    )
    await run(simulator, adapter, (await connect(adapter, LENA)).accessToken)
  } finally {
    await simulator.close()
  }
}

async function readTags(adapter: OauthAdapter, token: string, window: JournalWindow): Promise<readonly JournalEntry[]> {
  const read = await adapter.fetchJournal?.(token, window)
  return read?.entries ?? []
}

const tag = (id: string, more: object) => ({ id, start_time: "2026-11-19T15:00:00+01:00", custom_name: null, ...more })

const addDays = (day: string) => Temporal.PlainDate.from(day).add({ days: 1 }).toString()

test("every tag is a yes of the waking that follows its day", async () => {
  await withPerson({}, async (simulator, adapter, token) => {
    const tags = simulator.records(LENA).enhanced_tag
    const entries = await readTags(adapter, token, { from: "2026-01-01", to: "2026-12-31" })
    expect(entries.map(({ providerId }) => providerId).toSorted()).toEqual(tags.map(({ id }) => id).toSorted())
    const dates = new Map(entries.map(({ providerId, date }) => [providerId, date]))
    for (const { id, start_day, start_time } of tags)
      if (start_time.slice(11, 13) >= "04") expect(dates.get(id)).toBe(addDays(start_day))
    expect(entries.every(({ answer }) => answer)).toBe(true)
    const factors = new Set(entries.map(({ factor }) => factor))
    expect([...factors].toSorted()).toEqual(expect.arrayContaining(["alcohol", "caffeine", "late_meal"]))
  })
})

test("a window has its own dates, whatever the ends of the vendor's ranges mean", async () => {
  for (const dateSemantics of ["inclusive", "end_exclusive", "start_exclusive", "timestamp", "utc_date"] as const)
    await withPerson({ dateSemantics, pageSize: 2 }, async (_simulator, adapter, token) => {
      const all = await readTags(adapter, token, { from: "2026-01-01", to: "2026-12-31" })
      const entries = await readTags(adapter, token, WINDOW)
      expect(entries.length).toBeGreaterThan(10)
      expect(entries.map(({ providerId }) => providerId).toSorted()).toEqual(
        all
          .filter(({ date }) => date >= WINDOW.from && date <= WINDOW.to)
          .map(({ providerId }) => providerId)
          .toSorted(),
      )
    })
})

test("comments are neither asked for nor read", async () => {
  const vendor = await startScriptedVendor()
  const noted = { tag_type_code: "tag_generic_alcohol", comment: "with Tom at the old harbour" }
  vendor.script(json({ data: [tag("a", noted)], next_token: null }))
  const { adapter } = adapterUnderTest(vendor.url, { clientId: "id", clientSecret: "secret" }, (given) =>
    createOuraAdapter({ ...given, now: () => new Date("2026-11-20T12:00:00Z") }),
  )
  const entries = await readTags(adapter, "token", WINDOW)
  expect(entries).toHaveLength(1)
  expect(JSON.stringify(entries)).not.toContain("harbour")
  expect(vendor.seen[0]?.url.searchParams.get("fields")).toBe("id,tag_type_code,start_time,custom_name")
  await vendor.close()
})

test.each([401, 403] as const)(
  "tags that the person does not share are refused, and the grant stays (%i)",
  async (missingScope) => {
    await withPerson({ uncheckedScopes: ["tag"], missingScope }, async (_simulator, adapter, token) => {
      await expect(adapter.fetchJournal?.(token, WINDOW)).rejects.toMatchObject({
        name: "RequestRefused",
        isForbidden: true,
      })
    })
  },
)

test.each([
  ["a code", { tag_type_code: "tag_generic_lateMeal" }, "late_meal", false],
  ["a code of an absence", { tag_type_code: "tag_generic_nocaffeine" }, "no_caffeine", false],
  ["a code that begins with no by chance", { tag_type_code: "tag_generic_noise" }, "noise", false],
  ["a name of the person's own", { tag_type_code: "custom", custom_name: "Late coffee" }, "caffeine", false],
  ["a private code", { tag_type_code: "tag_generic_period" }, "menstruation", true],
  ["a private name", { tag_type_code: "custom", custom_name: "Ibuprofen 400" }, "medication", true],
])("%s has the canonical factor", async (_what, document, factor, isPrivate) => {
  const vendor = await startScriptedVendor()
  vendor.script(json({ data: [tag("a", document)], next_token: null }))
  const { adapter } = adapterUnderTest(vendor.url, { clientId: "id", clientSecret: "secret" }, (given) =>
    createOuraAdapter({ ...given, now: () => new Date("2026-11-20T12:00:00Z") }),
  )
  expect(await readTags(adapter, "token", WINDOW)).toMatchObject([{ factor, isPrivate, date: "2026-11-20" }])
  await vendor.close()
})

test("a tag after midnight belongs to the evening before, and one that cannot be read costs no other", async () => {
  const vendor = await startScriptedVendor()
  const data = [
    tag("late", { tag_type_code: "tag_generic_alcohol", start_time: "2026-11-20T00:40:00+01:00" }),
    tag("early", { tag_type_code: "tag_generic_alcohol", start_time: "2026-11-19T04:00:00+01:00" }),
    tag("timeless", { tag_type_code: "tag_generic_alcohol", start_time: "yesterday" }),
    tag("nameless", { tag_type_code: "custom" }),
    { id: 7 },
    null,
  ]
  vendor.script(json({ data, next_token: null }))
  const { adapter } = adapterUnderTest(vendor.url, { clientId: "id", clientSecret: "secret" }, (given) =>
    createOuraAdapter({ ...given, now: () => new Date("2026-11-20T12:00:00Z") }),
  )
  const entries = await readTags(adapter, "token", WINDOW)
  expect(entries.map(({ providerId, date }) => [providerId, date])).toEqual([
    ["late", "2026-11-20"],
    ["early", "2026-11-20"],
  ])
  await vendor.close()
})
