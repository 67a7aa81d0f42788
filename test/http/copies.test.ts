// The same nights, days and workouts by two ways: an archive and a connection of one source, or of two, in both orders of arrival.
import {
  appleArchive,
  appleRows,
  garminArchive,
  officeWorker,
  type Person,
  takeoutArchive,
  takeoutRows,
} from "@restwell/simulator"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { startOuraBeside } from "@restwell/testing/vendor"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { importedArchive } from "../imports/upload-archive.ts"
import { night, WATCH, workout } from "../sync/google-points.ts"

const NOW = new Date("2026-11-20T12:00:00Z")
const KINDS = ["sleep", "recovery", "workout", "cycle"] as const
type Kind = (typeof KINDS)[number]

const AnswerSchema = z.object({
  records: z.array(
    z.looseObject({
      id: z.string().optional(),
      cycle_id: z.string().nullish(),
      date: z.string(),
      start: z.string().optional(),
      source: z.string(),
    }),
  ),
})
type Answered = z.infer<typeof AnswerSchema>["records"][number]

/** Someone whose data arrive in an order of steps. */
async function arriving(url: string, steps: readonly ((member: Member) => Promise<unknown>)[]): Promise<string> {
  const member = new Member({ url })
  await member.signUp()
  for (const step of steps) await step(member)
  return member.newKey()
}

async function answersOf(url: string, key: string): Promise<Record<Kind, Answered[]>> {
  const read = async (kind: Kind) =>
    AnswerSchema.parse(await (await readHealth(url, key, `?type=${kind}&days=60`)).json()).records
  return {
    sleep: await read("sleep"),
    recovery: await read("recovery"),
    workout: await read("workout"),
    cycle: await read("cycle"),
  }
}

/** A recovery has no id of its own here. */
const keyOf = ({ id, date }: Answered): string => id ?? date

describe("Google Takeout beside the connection of the same person", () => {
  let service: TestService
  let person: Person
  let archive: Buffer
  beforeAll(async () => {
    service = await startTestService({
      vendor: "google_health",
      days: 40,
      now: NOW,
      isStill: true,
      environment: { SHARED_VENDOR_ACCOUNTS: "allow" },
    })
    person = service.simulator.people.add({ email: "ada@example.com", traits: officeWorker })
    const ring = await startOuraBeside(service.simulator)
    archive = takeoutArchive(takeoutRows(ring.records(person)))
    await ring.close()
  })
  afterAll(() => service.close())

  const connect = async (member: Member) => {
    await member.connect(person, "google_health")
    await member.untilHistoryIsComplete()
  }
  const upload = async (member: Member) =>
    expect(await importedArchive(service.url, member, archive)).toMatchObject({ status: "done" })
  const arrivedBy = async (...steps: ((member: Member) => Promise<unknown>)[]) =>
    answersOf(service.url, await arriving(service.url, steps))

  test("the answers are the same whichever came first, and the connection's records win", {
    timeout: 300_000,
  }, async () => {
    const live = await arrivedBy(connect)
    const archived = await arrivedBy(upload)
    const both = await arrivedBy(connect, upload)
    expect(await arrivedBy(upload, connect)).toEqual(both)
    for (const kind of KINDS) {
      expect(live[kind].length, kind).toBeGreaterThan(0)
      expect(archived[kind].length, kind).toBeGreaterThan(0)
      // Of each night, day and workout that both have there is the connection's record, with its figures and no other's.
      const isLive = (record: Answered) => live[kind].some((one) => keyOf(one) === keyOf(record))
      expect(both[kind].filter(isLive), kind).toEqual(live[kind])
      const starts = both[kind].flatMap(({ start }) => (start === undefined ? [] : Date.parse(start))).toSorted()
      expect(
        starts.filter((start, index) => index > 0 && start - (starts[index - 1] ?? 0) <= 2_000),
        kind,
      ).toEqual([])
    }
    for (const kind of ["recovery", "cycle"] as const) {
      const dates = both[kind].map(({ date }) => date)
      expect(dates, kind).toEqual([...new Set(dates)])
    }
    // The archive's stay where the connection has none: the archive begins earlier, or has what Google no longer serves.
    for (const kind of KINDS) expect(both[kind].length, kind).toBeGreaterThanOrEqual(archived[kind].length)
  })
})

describe("Apple Health's mirror inside Google Health, beside Apple's own archive", () => {
  let service: TestService
  let archive: Buffer
  let trained: { readonly start: string; readonly minutes: number }
  let person: Person
  const ONLY_AT_GOOGLE = "2026-10-05"
  const AT_BOTH = "2026-11-16"
  beforeAll(async () => {
    service = await startTestService({
      vendor: "google_health",
      days: 30,
      now: NOW,
      isStill: true,
      environment: { SHARED_VENDOR_ACCOUNTS: "allow" },
    })
    const wearer = service.simulator.people.add({ email: "watch@example.com", traits: officeWorker })
    const ring = await startOuraBeside(service.simulator)
    const all = ring.records(wearer)
    await ring.close()
    archive = appleArchive(appleRows(all))
    const last = all.workout.at(-1)
    if (!last) throw new Error("the person has no workout")
    const startMs = Date.parse(last.start_datetime)
    const minutes = Math.round((Date.parse(last.end_datetime) - startMs) / 60_000)
    trained = { start: new Date(startMs).toISOString(), minutes }
    person = service.simulator.people.add({ email: "ada@example.com", history: "none" })
    const { edit } = service.simulatorOf("google_health")
    edit.sleep.put(person, night("101", AT_BOTH, {}, WATCH))
    edit.sleep.put(person, night("102", ONLY_AT_GOOGLE, {}, WATCH))
    edit.exercise.put(person, workout("201", trained.start, trained.minutes, WATCH))
  })
  afterAll(() => service.close())

  test("a copy answers only for a date that nothing else has, with the watch as its device, in both orders", {
    timeout: 300_000,
  }, async () => {
    const connect = async (member: Member) => {
      await member.connect(person, "google_health")
      await member.untilHistoryIsComplete()
    }
    const upload = async (member: Member) =>
      expect(await importedArchive(service.url, member, archive)).toMatchObject({ status: "done" })
    const read = async (...steps: ((member: Member) => Promise<unknown>)[]) => {
      const key = await arriving(service.url, steps)
      return answersOf(service.url, key)
    }
    const first = await read(connect, upload)
    expect(await read(upload, connect)).toEqual(first)
    const nights = first.sleep.filter(({ is_nap: isNap }) => isNap === false)
    expect(nights.filter(({ date }) => date === AT_BOTH).map(({ source }) => source)).toEqual(["apple_health"])
    expect(nights.filter(({ date }) => date === ONLY_AT_GOOGLE)).toMatchObject([
      { source: "google_health", device: "Apple Watch" },
    ])
    const sameTime = first.workout.filter(({ start = "" }) => Date.parse(start) === Date.parse(trained.start))
    expect(sameTime.map(({ source }) => source)).toEqual(["apple_health"])
  })
})

describe("Garmin's archive beside intervals.icu", () => {
  let service: TestService
  let person: Person
  const START_MS = Date.parse("2026-11-18T06:05:00Z")
  const ACTIVITY_ID = 20_000_000_001
  beforeAll(async () => {
    service = await startTestService({
      vendor: "intervals",
      days: 30,
      now: NOW,
      isStill: true,
      environment: { SHARED_VENDOR_ACCOUNTS: "allow" },
    })
    person = service.simulator.people.add({ email: "ada@example.com", history: "none" })
    service.simulatorOf("intervals").edit.activities.put(person, {
      id: "i1",
      type: "Run",
      // Four hours off: only the id tells that it is the same.
      start_date: "2026-11-18T10:05:00Z",
      start_date_local: "2026-11-18T11:05:00",
      timezone: "Europe/Paris",
      elapsed_time: 3720,
      source: "GARMIN_CONNECT",
      external_id: String(ACTIVITY_ID),
    })
  })
  afterAll(() => service.close())

  test("an activity that names the archive's id is one with it, whichever came first", async () => {
    const connect = async (member: Member) => {
      const answer = await member.send("PUT", "/api/connections/intervals/credential", {
        key: service.vendor.keyOf?.(person),
      })
      expect(answer.status).toBe(200)
      await member.untilHistoryIsComplete()
    }
    const activity = {
      activityId: ACTIVITY_ID,
      activityType: "running",
      startTimeGmt: START_MS,
      beginTimestamp: START_MS,
      duration: 3_720_000,
      calories: 2_000,
    }
    const rows = { nights: [], health: [], days: [], readiness: [], body: [], activities: [activity], fit: [] }
    const upload = async (member: Member) =>
      expect(await importedArchive(service.url, member, garminArchive(rows))).toMatchObject({ status: "done" })
    const read = async (...steps: ((member: Member) => Promise<unknown>)[]) =>
      (await answersOf(service.url, await arriving(service.url, steps))).workout.map(({ id }) => id)
    expect(await read(upload)).toEqual([`garmin-${ACTIVITY_ID}`])
    expect(await read(connect, upload)).toEqual(["intervals-i1"])
    expect(await read(upload, connect)).toEqual(["intervals-i1"])
  })
})
