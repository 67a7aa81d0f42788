/* A collector never says what a nap is. A short part in the evening or in the morning is a part of the night, whatever way it came. */
import { appleArchive, appleStage, takeoutArchive } from "@restwell/simulator"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { importedArchive } from "../imports/upload-archive.ts"
import { newToken, pushed } from "../pushes/pusher.ts"

const HOUR_MS = 3_600_000
/** Berlin's winter. */
const MIDNIGHT = Date.parse("2026-11-20T00:00:00+01:00")

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: new Date("2026-11-20T20:30:00Z"), isStill: true })
})
afterAll(() => service.close())

/** Hours after midnight from falling asleep to waking. */
type Times = readonly [from: number, to: number]

const instant = (hours: number): number => MIDNIGHT + hours * HOUR_MS
const local = (hours: number): string => new Date(instant(hours) + HOUR_MS).toISOString().slice(0, 19)

type Bring = (member: Member, sleeps: readonly Times[]) => Promise<unknown>

const WAYS: Readonly<Record<string, Bring>> = {
  "a plain push": async (member, sleeps) => {
    const records = sleeps.map(([from, to]) => ({
      type: "sleep_segment" as const,
      start: `${local(from)}+01:00`,
      end: `${local(to)}+01:00`,
      value: "light",
      source: "Watch",
    }))
    await pushed(service, { records }, await newToken(member))
  },
  "Health Auto Export": async (member, sleeps) => {
    const parts = sleeps.map(([from, to]) => ({
      startDate: `${local(from).replace("T", " ")} +0100`,
      endDate: `${local(to).replace("T", " ")} +0100`,
      value: "Core",
      qty: to - from,
      source: "Watch",
    }))
    const data = { metrics: [{ name: "sleep_analysis", units: "hr", data: parts }] }
    const { token } = await newToken(member)
    await pushed(service, { data }, { token, path: "/api/ingest/health-auto-export" })
  },
  "Apple's export": (member, sleeps) =>
    imported(
      member,
      appleArchive(
        sleeps.map(([from, to]) => appleStage("AsleepCore", { startMs: instant(from), endMs: instant(to) })),
      ),
    ),
  "Google Takeout": (member, sleeps) => {
    const rows = sleeps.map(([from, to], index) => ({
      sleep_id: `70000000000000${index}`,
      sleep_type: "STAGES",
      minutes_asleep: (to - from) * 60,
      start_utc_offset: "+01:00",
      sleep_start: `${new Date(instant(from)).toISOString().slice(0, 19)}Z`,
      end_utc_offset: "+01:00",
      sleep_end: `${new Date(instant(to)).toISOString().slice(0, 19)}Z`,
    }))
    return imported(member, takeoutArchive({ "UserSleeps_2026-01-01.csv": rows }))
  },
}

/** As Fitbit writes it: the first sleep is the main one. */
const FITBIT = (member: Member, sleeps: readonly Times[]) => {
  const rows = sleeps.map(([from, to], index) => ({
    logId: 60_000_000 + index,
    startTime: `${local(from)}.000`,
    endTime: `${local(to)}.000`,
    minutesAsleep: (to - from) * 60,
    type: "classic",
    mainSleep: index === 0,
  }))
  return imported(member, takeoutArchive({ "sleep-2026-11-01.json": rows }))
}

async function imported(member: Member, bytes: Buffer): Promise<void> {
  expect(await importedArchive(service.url, member, bytes)).toMatchObject({ status: "done" })
}

async function personWith(bring: Bring | undefined, sleeps: readonly Times[]) {
  const member = new Member(service)
  await member.signUp()
  await member.send("PUT", "/api/account/preferences", { time_zone: "Europe/Berlin" })
  await bring?.(member, sleeps)
  const key = await member.newKey()
  const headers = { authorization: `Bearer ${key}` }
  return {
    read: async (search: string) => (await readHealth(service.url, key, search)).json(),
    trend: async (metric: string) =>
      (await fetch(`${service.url}/api/v1/trend?metric=${metric}&days=7&points=true`, { headers })).json(),
  }
}

describe.each(Object.keys(WAYS))("%s", (way) => {
  test.each<[string, Times[], number]>([
    [
      "two parts of one date",
      [
        [0, 1.5],
        [2.75, 7],
      ],
      5.75,
    ],
    [
      "a short part in the evening",
      [
        [-3, -1],
        [0.5, 6.5],
      ],
      8,
    ],
    [
      "a short part in the morning",
      [
        [-1, 5.5],
        [7, 8.5],
      ],
      8,
    ],
    [
      "three parts, of which none is long",
      [
        [-2, 0.5],
        [2, 4],
        [5.5, 7.5],
      ],
      6.5,
    ],
  ])("%s: one night of the date of waking, and no nap", async (_name, sleeps, asleep) => {
    const { read, trend } = await personWith(WAYS[way], sleeps)
    const { sleep } = await read("?days=7")
    expect(sleep).toMatchObject({ night_count: 1, average_asleep_hours: asleep })
    expect(await trend("asleep")).toMatchObject({ n: 1, points: [["2026-11-20", asleep]] })
    const { records } = await read("?type=sleep&days=7")
    expect(records).toHaveLength(sleeps.length)
    for (const record of records)
      expect(record).toMatchObject({ is_nap: false, night: { date: "2026-11-20", asleep_hours: asleep } })
  })

  test.each<[string, Times[]]>([
    [
      "two hours after the night",
      [
        [0, 6],
        [9, 10.5],
      ],
    ],
    [
      "in the afternoon",
      [
        [-1, 6],
        [14, 15],
      ],
    ],
    [
      "in the evening long before the night",
      [
        [-5, -4],
        [-1, 6],
      ],
    ],
  ])("a nap %s stays a nap", async (_name, sleeps) => {
    const { read, trend } = await personWith(WAYS[way], sleeps)
    const night = sleeps.toSorted((one, other) => other[1] - other[0] - (one[1] - one[0]))[0] ?? [0, 0]
    expect((await read("?days=7")).sleep).toMatchObject({ night_count: 1, average_asleep_hours: night[1] - night[0] })
    expect(await trend("asleep")).toMatchObject({ n: 1, points: [["2026-11-20", night[1] - night[0]]] })
    const { records } = await read("?type=sleep&days=7")
    expect(records.filter((record: { is_nap: boolean }) => record.is_nap)).toHaveLength(1)
    for (const record of records) expect(record).not.toHaveProperty("night")
  })
})

test("what Fitbit itself calls no main sleep stays a nap", async () => {
  const { read } = await personWith(FITBIT, [
    [-1, 5.5],
    [7, 8.5],
  ])
  expect((await read("?days=7")).sleep).toMatchObject({ night_count: 1, average_asleep_hours: 6.5 })
  const { records } = await read("?type=sleep&days=7")
  expect(records.map((record: { is_nap: boolean }) => record.is_nap).toSorted()).toEqual([false, true])
})
