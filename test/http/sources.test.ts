import { gapsOf, MOST_SOURCE_CHOICES, PROVIDERS, type SourceSettingsResponse } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"

let service: TestService
let member: Member
let key: string
beforeAll(async () => {
  service = await startTestService({ days: 60 })
  ;({ member, key } = await Member.connected(service, service.simulator.people.add({ email: "lena@vendor.example" })))
  await addSecondDevice()
})
afterAll(() => service.close())
beforeEach(async () => {
  await put({ order: { sleep: [], recovery: [], workout: [], cycle: [] }, choices: [] })
})

/** A second device measured the same days. It slept 90 minutes less, and has HRV that is a quarter higher. */
async function addSecondDevice(): Promise<void> {
  const { pool } = service.store
  await pool.query(`
    insert into restwell.connection (user_id, provider, status, status_changed_at, connected_at, next_sync_at, last_synced_at, history_complete)
    select user_id, 'polar', 'archive', now(), now(), 'infinity', null, true from restwell.connection`)
  await pool.query(`
    insert into restwell.record
      (user_id, provider, kind, provider_id, date, started_at, ended_at, utc_offset_minutes, score_state, vendor_updated_at,
       sleep_provider_id, cycle_provider_id, skin_temp_deviation, from_archive, candidate, detail, raw)
    select user_id, 'polar', kind, provider_id, date, started_at, ended_at, utc_offset_minutes, score_state, vendor_updated_at,
      sleep_provider_id, cycle_provider_id, skin_temp_deviation, true, candidate,
      case kind
        when 'sleep' then jsonb_set(detail::jsonb, '{stages,lightMs}', to_jsonb((detail #>> '{stages,lightMs}')::numeric - 5400000))
        when 'recovery' then jsonb_set(detail::jsonb, '{hrvMs}', to_jsonb((detail #>> '{hrvMs}')::numeric * 1.25))
        else detail::jsonb end,
      raw
    from restwell.record where score_state = 'scored'`)
}

const put = (settings: object) => member.send("PUT", "/api/account/sources", settings)
const settings = async (): Promise<SourceSettingsResponse> => (await member.send("GET", "/api/account/sources")).json()
const read = async (search: string) => (await readHealth(service.url, key, search)).json()

describe("without any preference", () => {
  test("the connection answers before the archive, and both are listed", async () => {
    const { records, source, sources } = await read("?type=recovery&days=30")
    expect(records.length).toBeGreaterThan(20)
    for (const record of records)
      expect(record).toMatchObject({ source: "whoop", chosen_because: expect.stringMatching(/^(direct|only_one)$/) })
    expect(source.provider).toBe("whoop")
    expect(sources.map(({ provider }: { provider: string }) => provider)).toEqual(["whoop", "polar"])
  })

  test("copies of a workout are listed once and counted once", async () => {
    const both = await read("?type=workout&days=30")
    const one = await read("?type=workout&days=30&source=whoop")
    expect(both.records.map(({ id }: { id: string }) => id)).toEqual(one.records.map(({ id }: { id: string }) => id))
    expect((await read("?days=30")).strain.workout_count).toBe(
      (await read("?days=30&source=whoop")).strain.workout_count,
    )
  })
})

test("source=all lists every source's records and marks the chosen ones", async () => {
  const { records } = await read("?type=sleep&days=7&source=all")
  const chosen = (await read("?type=sleep&days=7")).records
  expect(records.filter((record: { chosen: boolean }) => record.chosen).map(({ id }: { id: string }) => id)).toEqual(
    chosen.map(({ id }: { id: string }) => id),
  )
  const others = records.filter((record: { chosen: boolean }) => !record.chosen)
  expect(others.length).toBeGreaterThan(4)
  for (const record of others) expect(record).toMatchObject({ source: "polar", chosen: false, chosen_because: null })
})

test("an order changes every later answer, and an empty one restores them", async () => {
  const before = await readHealth(service.url, key, "?type=recovery&days=7")
  const answer = await put({ order: { recovery: ["polar"] } })
  expect(answer.status).toBe(200)
  const reread = await readHealth(service.url, key, "?type=recovery&days=7", {
    "if-none-match": before.headers.get("etag") ?? "",
  })
  expect(reread.status).toBe(200)
  const { records, source } = await reread.json()
  expect(source.provider).toBe("polar")
  expect(records).toContainEqual(expect.objectContaining({ source: "polar", chosen_because: "your_order" }))
  expect((await read("?type=sleep&days=7")).source.provider).toBe("whoop")
  expect((await read("?days=7")).recovery.source).toBe("polar")
  await put({ order: { recovery: [] } })
  expect((await read("?type=recovery&days=7")).records).toEqual((await before.json()).records)
})

test("a choice for one date goes before the order, and other keys stay", async () => {
  await put({ order: { sleep: ["whoop", "polar"] } })
  const nights = (await read("?type=sleep&days=30&source=polar")).records
  const { date } = nights.find(({ is_nap }: { is_nap: boolean }) => !is_nap)
  await put({ choices: [{ type: "sleep", date, source: "polar" }] })
  const { records } = await read(`?type=sleep&start_date=${date}&end_date=${date}`)
  const night = records.find(({ is_nap }: { is_nap: boolean }) => !is_nap)
  expect(night).toMatchObject({ source: "polar", chosen_because: "your_choice" })
  expect(await settings()).toMatchObject({
    order: { sleep: ["whoop", "polar"], recovery: [], workout: [], cycle: [] },
    choices: [{ type: "sleep", date, source: "polar" }],
  })
})

test("dates on which sources differ are listed with both values", async () => {
  const { differences } = await settings()
  const night = differences.find(({ type }) => type === "sleep")
  expect(night?.values.map(({ source, chosen }) => ({ source, chosen }))).toEqual([
    { source: "whoop", chosen: true },
    { source: "polar", chosen: false },
  ])
  const [whoop, polar] = night?.values ?? []
  expect((whoop?.asleep_minutes ?? 0) - (polar?.asleep_minutes ?? 0)).toBe(90)
  const recovery = differences.find(({ type }) => type === "recovery")
  expect(recovery?.values.every(({ hrv_method }) => hrv_method === "rmssd")).toBe(true)
  const dates = differences.map(({ date }) => date)
  expect(dates).toEqual(dates.toSorted().toReversed())
  expect(new Set(dates).size).toBeLessThanOrEqual(90)
})

test.each([
  ["?source=fitbit", 400, "source"],
  ["?source=whoop&source=polar", 400, "source"],
  ["?source=", 400, "source"],
  ["?source=oura", 404, undefined],
])("%s gets %i", async (search, status, field) => {
  const answer = await readHealth(service.url, key, search)
  expect(answer.status).toBe(status)
  const body = await answer.json()
  expect(body.field).toBe(field)
  if (status === 404) expect(body.message).toContain("oura is not connected")
})

test.each([
  [{ order: { sleep: ["fitbit"] } }],
  [{ order: { sleep: ["whoop", "whoop"] } }],
  [{ order: { summary: ["whoop"] } }],
  [{ order: "whoop" }],
  [{ choices: [{ type: "sleep", date: "2026-02-30", source: "whoop" }] }],
  [{ choices: [{ type: "sleep", date: "2026-11-01" }] }],
  [
    {
      choices: [
        { type: "sleep", date: "2026-11-01", source: "whoop" },
        { type: "sleep", date: "2026-11-01", source: "polar" },
      ],
    },
  ],
  [{ orders: {} }],
])("%j gets 400 and changes nothing", async (body) => {
  const before = await settings()
  const answer = await put(body)
  expect(answer.status).toBe(400)
  expect((await answer.json()).field).toMatch(/^(order|choices)/)
  expect(await settings()).toEqual(before)
})

test("takes as many choices as a person may have, with an order of all sources for each type, and no more", async () => {
  const choices = Array.from({ length: MOST_SOURCE_CHOICES + 1 }, (_, index) => ({
    type: "recovery",
    date: addDays("2010-01-01", index),
    source: "sleep_as_android",
  }))
  const order = { sleep: PROVIDERS, recovery: PROVIDERS, workout: PROVIDERS, cycle: PROVIDERS }
  const refused = await put({ order, choices })
  expect([refused.status, (await refused.json()).field]).toEqual([400, "choices"])
  expect((await put({ order, choices: choices.slice(1) })).status).toBe(200)
  expect((await settings()).choices).toHaveLength(MOST_SOURCE_CHOICES)
})

test("preferences belong to one person", async () => {
  await put({ order: { sleep: ["polar"] } })
  const other = new Member(service)
  await other.signUp()
  expect(await (await other.send("GET", "/api/account/sources")).json()).toEqual({
    order: { sleep: [], recovery: [], workout: [], cycle: [] },
    default_order: [],
    choices: [],
    differences: [],
  })
})

test("a source that is disconnected with its records kept answers nothing, at once", async () => {
  const leaver = await Member.connected(service, service.simulator.people.add({ email: "bo@vendor.example" }))
  await leaver.member.send("DELETE", "/api/connections/whoop")
  expect((await readHealth(service.url, leaver.key, "?source=whoop")).status).toBe(404)
})

test("a date is listed only where its figures say why, also if they are near a limit before they are rounded", async () => {
  const hrvOf = (provider: string, hrv: number) =>
    service.store.pool.query(
      "update restwell.record set detail = jsonb_set(detail::jsonb, '{hrvMs}', to_jsonb($2::float)) where provider = $1 and kind = 'recovery'",
      [provider, hrv],
    )
  const recoveries = async () => {
    await service.store.pool.query("update restwell.person set data_version = data_version + 1")
    return (await settings()).differences.filter(({ type }) => type === "recovery")
  }
  // By 15.02 %, and by 14.8 % as they are written: 30.1 and 34.9.
  await hrvOf("whoop", 30.06)
  await hrvOf("polar", 34.94)
  expect(await recoveries()).toEqual([])
  // By 14.99 %, and by 15.1 % as they are written: 30 and 34.9.
  await hrvOf("whoop", 30)
  await hrvOf("polar", 34.86)
  const far = await recoveries()
  expect(far.length).toBeGreaterThan(20)
  for (const { values } of far) expect(gapsOf(values).hrv.isFar).toBe(true)
})
