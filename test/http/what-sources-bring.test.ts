// GET /api/v1/sources: what it says of a source is what the source's records have, for every kind of archive.
import { createClient, SourcesResponseSchema } from "@restwell/client"
import { startOuraSimulator } from "@restwell/simulator"
import { archivesOf } from "@restwell/testing/archive"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { importedArchive } from "../imports/upload-archive.ts"

const ARCHIVES = {
  garmin: "garmin",
  takeout: "google_health",
  apple: "apple_health",
  oura: "oura",
  health_connect: "health_connect",
  gadgetbridge: "gadgetbridge",
  sleep_as_android: "sleep_as_android",
} as const
const LISTS = ["sleep", "recovery", "workout", "cycle"] as const
/** Fields of a vendor that these simulated devices never fill: a band without the sensors, files without the column. */
const NOT_SIMULATED: Readonly<Record<string, readonly string[]>> = {
  "whoop recovery": ["skin_temp_celsius", "skin_temp_deviation_celsius", "spo2"],
  "garmin cycle": ["average_heart_rate"],
  "google_health cycle": ["active_calories"],
  "google_health sleep": ["times_awake", "latency_minutes", "contributors"],
  "google_health recovery": ["skin_temp_celsius", "skin_temp_deviation_celsius", "contributors"],
}
/** What Restwell itself gives every record. */
const OUR_OWN = /^(?:id|cycle_id|date|.*_local|score_state|hrv_method|source|device|chosen.*|others.*)$/

let service: TestService
let key: string
beforeAll(async () => {
  service = await startTestService({ days: 80 })
  const email = "lena@vendor.example"
  const connected = await Member.connected(service, service.simulator.people.add({ email }))
  key = connected.key
  const oura = await startOuraSimulator({ seed: 5, now: service.simulator.clock.now(), days: 80 })
  const [wearer] = oura.people.list()
  if (wearer === undefined) throw new Error("nobody at Oura")
  const archives = archivesOf(service.simulator.records(email), oura.records(wearer))
  await oura.close()
  for (const kind of Object.keys(ARCHIVES) as (keyof typeof ARCHIVES)[])
    expect(await importedArchive(service.url, connected.member, archives[kind])).toMatchObject({ status: "done" })
})
afterAll(() => service.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${key}`, ...headers } })

/** The columns of a source's records that have a value in any of them. */
async function filledColumns(type: string, provider: string): Promise<string[]> {
  const answer = await get(`/api/v1/health?type=${type}&days=80&source=all`)
  const { records } = z.object({ records: z.array(z.record(z.string(), z.unknown())) }).parse(await answer.json())
  const filled = records
    .filter(({ source }) => source === provider)
    .flatMap((record) =>
      Object.entries(record).flatMap(([name, value]): [string, unknown][] =>
        value !== null && typeof value === "object" && !Array.isArray(value) && name !== "zones"
          ? Object.entries(value).map(([inner, figure]) => [`${name}_${inner}`, figure])
          : [[name, value]],
      ),
    )
    .filter(([name, value]) => value !== null && !OUR_OWN.test(name) && !(Array.isArray(value) && value.length === 0))
  return [...new Set(filled.map(([name]) => name))].toSorted()
}

describe.each(["whoop", ...Object.values(ARCHIVES)])("the fields of %s", (provider) => {
  test.each(LISTS)("of type %s are those that its records fill, and no others", async (type) => {
    const { sources } = SourcesResponseSchema.parse(await (await get("/api/v1/sources")).json())
    const source = sources.find((one) => one.provider === provider)
    const declared = (source?.fields ?? []).filter((one) => one.type === type).map(({ field }) => field)
    const filled = await filledColumns(type, provider)
    expect(declared.toSorted()).toEqual([...filled, ...(NOT_SIMULATED[`${provider} ${type}`] ?? [])].toSorted())
  })
})

test("the fields of a profile are those that it has", async () => {
  const { sources } = SourcesResponseSchema.parse(await (await get("/api/v1/sources")).json())
  const whoop = sources.find(({ provider }) => provider === "whoop")?.fields.filter(({ type }) => type === "profile")
  const profile: unknown = await (await get("/api/v1/health?type=profile&source=whoop")).json()
  for (const { field } of whoop ?? []) {
    const [, outer = "", inner = ""] = /^([a-z]+)_(.*)$/.exec(field) ?? []
    expect(profile).toHaveProperty([outer, inner], expect.anything())
  }
  expect(whoop).toHaveLength(6)
})

test("a source is named, has the state of its connection, and says what it has within the day", async () => {
  const answer = await get("/api/v1/sources")
  const body = SourcesResponseSchema.parse(await answer.json())
  expect(body.count).toBe(8)
  const garmin = body.sources.find(({ provider }) => provider === "garmin")
  expect(garmin).toMatchObject({
    display_name: "Garmin",
    status: "archive",
    types: ["sleep", "recovery", "workout", "cycle", "profile"],
  })
  expect(garmin?.fields).toContainEqual({
    type: "recovery",
    field: "hrv",
    unit: "ms",
    method: "RMSSD, mean of a night",
  })
  expect(garmin?.series).toContainEqual({ type: "hrv", unit: "ms", method: "rmssd" })
  expect(body.sources.find(({ provider }) => provider === "whoop")?.series).toEqual([])
})

test("a score is a percentage of WHOOP, and points of others", async () => {
  const { sources } = SourcesResponseSchema.parse(await (await get("/api/v1/sources")).json())
  const scores = sources.flatMap(({ provider, fields }) =>
    fields.flatMap(({ type, field, unit }) =>
      field === "score_performance" || (type === "recovery" && field === "score") ? [{ provider, unit }] : [],
    ),
  )
  const isOfWhoop = ({ provider }: (typeof scores)[number]) => provider === "whoop"
  expect(new Set(scores.filter(isOfWhoop).map(({ unit }) => unit))).toEqual(new Set(["%"]))
  expect(new Set(scores.filter((score) => !isOfWhoop(score)).map(({ unit }) => unit))).toEqual(new Set([null]))
})

test("the read is counted, has an entity tag, and takes no parameter", async () => {
  const answer = await get("/api/v1/sources")
  const remaining = Number(answer.headers.get("x-ratelimit-remaining"))
  const again = await get("/api/v1/sources", { "if-none-match": answer.headers.get("etag") ?? "" })
  expect([again.status, Number(again.headers.get("x-ratelimit-remaining"))]).toEqual([304, remaining])
  expect(await (await get("/api/v1/sources?source=whoop")).json()).toMatchObject({ error: "invalid_request" })
  expect((await fetch(`${service.url}/api/v1/sources`)).status).toBe(401)
  const client = createClient({ baseUrl: service.url, apiKey: key })
  expect((await client.sources()).data).toEqual(await answer.json())
})
