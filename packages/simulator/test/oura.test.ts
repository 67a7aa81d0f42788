import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  type OuraSimulator,
  type OuraSimulatorOptions,
  officeWorker,
  type Simulator,
  startOuraSimulator,
  startSimulator,
  type WireOuraSleep,
  type WireOuraWorkout,
} from "../src/index.ts"
import {
  askOura,
  decideAtOura,
  exchangeAtOura,
  listOura,
  type OuraTokens,
  postOuraToken,
  signInAtOura,
} from "./oura-sign-in.ts"

const NOW = new Date("2026-11-20T12:00:00Z")
const PERSON = "lena@example.com"
const HOUR_MS = 3_600_000

let simulator: OuraSimulator
let tokens: OuraTokens

beforeAll(async () => {
  simulator = await startOuraSimulator({ now: NOW, days: 120 })
  tokens = await signInAtOura(simulator, PERSON)
})
afterAll(() => simulator.close())

async function withSimulator(options: OuraSimulatorOptions, run: (own: OuraSimulator) => Promise<void>): Promise<void> {
  const own = await startOuraSimulator({ now: NOW, days: 30, ...options })
  try {
    await run(own)
  } finally {
    await own.close()
  }
}

describe("beside a simulated WHOOP", () => {
  let whoop: Simulator
  let ring: OuraSimulator
  beforeAll(async () => {
    whoop = await startSimulator({ now: NOW, days: 90, seed: 3 })
    ring = await startOuraSimulator({ beside: whoop, seed: 3 })
  })
  afterAll(async () => {
    await ring.close()
    await whoop.close()
  })

  test("measures the same nights, minutes apart, with figures of its own", () => {
    const nights = ring.records(PERSON).sleep.filter(({ type }) => type === "long_sleep")
    const pairs = nights.flatMap((night) => {
      const other = whoop
        .records(PERSON)
        .sleeps.find(
          ({ nap, start }) => !nap && Math.abs(Date.parse(start) - Date.parse(night.bedtime_start)) < HOUR_MS,
        )
      return other ? [{ night, other }] : []
    })
    expect(pairs.length).toBeGreaterThan(70)
    const differences = pairs.map(({ night, other }) => Math.abs(Date.parse(night.bedtime_end) - Date.parse(other.end)))
    expect(Math.max(...differences)).toBeLessThan(HOUR_MS)
    expect(differences.filter((difference) => difference > 60_000).length).toBeGreaterThan(40)
  })

  test("misses other nights than the strap", () => {
    const daysOf = (ends: readonly string[]) => new Set(ends.map((end) => new Date(end).toISOString().slice(0, 10)))
    const { people } = whoop
    const gaps = people.addMany(20).map((person) => {
      const byRing = daysOf(ring.records(person).sleep.map(({ bedtime_end }) => bedtime_end))
      const byStrap = daysOf(whoop.records(person).sleeps.map(({ end }) => end))
      return { ringOnly: byRing.difference(byStrap).size, strapOnly: byStrap.difference(byRing).size }
    })
    expect(gaps.reduce((sum, { ringOnly }) => sum + ringOnly, 0)).toBeGreaterThan(10)
    expect(gaps.reduce((sum, { strapOnly }) => sum + strapOnly, 0)).toBeGreaterThan(10)
  })

  test("follows the same clock", () => {
    const before = ring.records(PERSON).sleep.length
    whoop.clock.advance(3 * 24 * HOUR_MS)
    expect(ring.records(PERSON).sleep.length).toBeGreaterThan(before)
  })
})

describe("documents", () => {
  test("of a night: five-minute phases, durations that add up, scores of the same day", () => {
    const { sleep, daily_sleep, daily_readiness } = simulator.records(PERSON)
    const nights = sleep.filter(({ type, efficiency }) => type === "long_sleep" && efficiency !== null)
    expect(nights.length).toBeGreaterThan(90)
    for (const night of nights) {
      expect(night.sleep_phase_5_min).toMatch(/^[1-4]+$/)
      const { deep_sleep_duration, rem_sleep_duration, light_sleep_duration, awake_time } = night
      const asleep = Number(deep_sleep_duration) + Number(rem_sleep_duration) + Number(light_sleep_duration)
      expect(night.total_sleep_duration).toBe(asleep)
      expect(Math.abs(asleep + Number(awake_time) - night.time_in_bed)).toBeLessThan(5)
      expect(daily_sleep.some(({ day }) => day === night.day)).toBe(true)
    }
    expect(daily_readiness.length).toBeGreaterThan(90)
  })

  test("of sleeps have every type, over some people", () => {
    const types = simulator.people
      .addMany(12)
      .flatMap((person) => simulator.records(person).sleep.map(({ type }) => type))
    expect(new Set(types)).toEqual(new Set(["long_sleep", "sleep", "late_nap", "rest", "deleted"]))
  })

  test("depend on the seed and the moment only", async () => {
    const expected = simulator.records("sam@example.com")
    await withSimulator({ days: 120 }, async (own) => {
      for (let day = 3; day > 0; day--) {
        own.clock.set(new Date(NOW.getTime() - day * 24 * HOUR_MS))
        own.records("sam@example.com")
      }
      own.clock.set(NOW)
      expect(own.records("sam@example.com")).toEqual(expected)
    })
  })
})

describe("a list", () => {
  const days = { start_date: "2026-11-10", end_date: "2026-11-14" }
  const inRange = (first: string, last: string) =>
    simulator
      .records(PERSON)
      .sleep.filter(({ day }) => day >= first && day <= last)
      .map(({ id }) => id)

  test.each([
    ["sleep", "2026-11-10", "2026-11-13"],
    ["daily_sleep", "2026-11-10", "2026-11-14"],
    ["daily_readiness", "2026-11-10", "2026-11-14"],
    ["daily_activity", "2026-11-10", "2026-11-13"],
  ])("of %s reads its days as measured", async (name, first, last) => {
    const found = await listOura<{ day: string }>(simulator, tokens, name, days)
    expect(
      found
        .map(({ day }) => day)
        .toSorted()
        .at(0),
    ).toBe(first)
    expect(
      found
        .map(({ day }) => day)
        .toSorted()
        .at(-1),
    ).toBe(last)
  })

  test.each([
    ["inclusive", "2026-11-10", "2026-11-14"],
    ["end_exclusive", "2026-11-10", "2026-11-13"],
    ["start_exclusive", "2026-11-11", "2026-11-14"],
    ["timestamp", "2026-11-10", "2026-11-13"],
  ] as const)("can read its days as %s", async (dateSemantics, first, last) => {
    await withSimulator({ dateSemantics, days: 120 }, async (own) => {
      const found = await listOura<WireOuraSleep>(own, await signInAtOura(own, PERSON), "sleep", days)
      expect(found.map(({ id }) => id)).toEqual(inRange(first, last))
    })
  })

  test("of workouts filters by the UTC date and returns the local one", async () => {
    const traits = { ...officeWorker, homeZone: "America/Los_Angeles" }
    const californian = await signInAtOura(simulator, simulator.people.add({ email: "west@example.com", traits }))
    const range = { start_date: "2026-08-01", end_date: "2026-11-19" }
    const found = await listOura<WireOuraWorkout>(simulator, californian, "workout", range)
    const utcDays = found.map(({ start_datetime }) => new Date(start_datetime).toISOString().slice(0, 10))
    expect(utcDays.every((day) => day >= range.start_date && day < range.end_date)).toBe(true)
    expect(found.some(({ day }, index) => day !== utcDays[index])).toBe(true)
  })

  test("has the same documents whatever the size of its pages", async () => {
    await withSimulator({ pageSize: 3 }, async (own) => {
      const small = await listOura(own, await signInAtOura(own, PERSON), "sleep", days)
      expect(small).toEqual(await listOura(simulator, tokens, "sleep", days))
    })
  })

  test("has only the wanted fields, and all of them when one is unknown", async () => {
    const [few] = await listOura<object>(simulator, tokens, "daily_activity", { ...days, fields: "id,day" })
    expect(Object.keys(Object(few))).toEqual(["id", "day"])
    const [all] = await listOura<object>(simulator, tokens, "daily_activity", { ...days, fields: "id,nonsense" })
    expect(Object.keys(Object(all)).length).toBeGreaterThan(10)
  })

  test("refuses dates in the wrong order, and no token", async () => {
    expect((await askOura(simulator, tokens, "sleep?start_date=2026-11-02&end_date=2026-11-01")).status).toBe(400)
    expect((await fetch(`${simulator.url}/v2/usercollection/sleep`)).status).toBe(400)
  })
})

describe("heart rates", () => {
  const fortnight = { start_datetime: "2026-11-01T00:00:00Z", end_datetime: "2026-11-15T00:00:00Z" }
  interface Row {
    readonly timestamp: string
    readonly bpm: number
    readonly source: string
  }

  test("come on pages of a thousand, in the order of time, slow asleep and fast in workouts", async () => {
    const rows = await listOura<Row>(simulator, tokens, "heartrate", fortnight)
    const page = await askOura(simulator, tokens, `heartrate?${new URLSearchParams(fortnight)}`)
    expect(Reflect.get(Object(await page.json()), "data")).toHaveLength(1_000)
    expect(rows.length / 14).toBeGreaterThan(500)
    expect(rows.length / 14).toBeLessThan(2_500)
    expect(rows.map(({ timestamp }) => timestamp)).toEqual(rows.map(({ timestamp }) => timestamp).toSorted())
    const meanOf = (source: string) => {
      const some = rows.filter((row) => row.source === source)
      return some.reduce((sum, { bpm }) => sum + bpm, 0) / some.length
    }
    expect(meanOf("sleep")).toBeLessThan(meanOf("awake"))
    expect(meanOf("awake")).toBeLessThan(meanOf("workout"))
  })

  test("arrive when the ring sends them, and are the same again", async () => {
    await withSimulator({}, async (own) => {
      const before = own.heartRates(PERSON)
      const newest = Date.parse(before.at(-1)?.timestamp ?? "")
      expect(newest).toBeLessThanOrEqual(NOW.getTime())
      own.clock.advance(24 * HOUR_MS)
      const after = own.heartRates(PERSON)
      expect(after.length).toBeGreaterThan(before.length)
      expect(after.slice(0, before.length)).toEqual(before)
    })
  })

  test("are refused for more than 30 days, and without the scope", async () => {
    const long = { ...fortnight, start_datetime: "2026-10-01T00:00:00Z" }
    expect((await askOura(simulator, tokens, `heartrate?${new URLSearchParams(long)}`)).status).toBe(400)
    await withSimulator({ uncheckedScopes: ["heartrate"] }, async (own) => {
      const narrow = await signInAtOura(own, PERSON)
      expect((await askOura(own, narrow, "heartrate")).status).toBe(403)
    })
  })
})

test("a document is found by its id, and another person's is not", async () => {
  const [own, foreign] = [simulator.records(PERSON).workout[0], simulator.records("sam@example.com").workout[0]]
  expect(await (await askOura(simulator, tokens, `workout/${own?.id}`)).json()).toEqual(own)
  expect((await askOura(simulator, tokens, `workout/${foreign?.id}`)).status).toBe(404)
})

test.each([[401], [403], ["empty"]] as const)("a missing scope can look like %s", async (missingScope) => {
  await withSimulator({ missingScope, uncheckedScopes: ["workout"] }, async (own) => {
    const narrow = await signInAtOura(own, PERSON)
    expect(narrow.scope).not.toContain("workout")
    const reply = await askOura(own, narrow, "workout?start_date=2026-11-01")
    expect(reply.status).toBe(missingScope === "empty" ? 200 : missingScope)
    if (missingScope === "empty") expect(await reply.json()).toEqual({ data: [], next_token: null })
  })
})

describe("tokens", () => {
  test("a refresh token works once", async () => {
    const own = await signInAtOura(simulator, "sam@example.com")
    const form = { grant_type: "refresh_token", refresh_token: own.refresh_token }
    expect((await postOuraToken(simulator, form)).status).toBe(200)
    const again = await postOuraToken(simulator, form)
    expect([again.status, await again.json()]).toMatchObject([400, { error_description: "Refresh token already used" }])
  })

  test("the other portal's endpoint refuses a code and burns it", async () => {
    const location = await decideAtOura(simulator, PERSON)
    expect(location.searchParams.get("iss")).toMatch(/^https:\/\/moi\.ouraring\.com/)
    const code = location.searchParams.get("code") ?? ""
    expect((await exchangeAtOura(simulator, code, "legacy")).status).toBe(401)
    expect((await exchangeAtOura(simulator, code)).status).toBe(400)
  })

  test("an app of the legacy portal has its own endpoints, and no issuer", async () => {
    await withSimulator({ portal: "legacy" }, async (own) => {
      const location = await decideAtOura(own, PERSON, "legacy")
      expect(location.searchParams.has("iss")).toBe(false)
      expect((await exchangeAtOura(own, location.searchParams.get("code") ?? "", "legacy")).status).toBe(200)
    })
  })

  test("an unknown scope is dropped in silence, and the prefix of the current portal is read", async () => {
    const own = await signInAtOura(simulator, PERSON, { scope: "extapi:daily extapi:personal stress" })
    expect(own.scope).toBe("daily personal")
  })
})

test("more than the limit is 429, and says how long", async () => {
  await withSimulator({ rateLimits: { perToken: 2, perApp: 9 } }, async (own) => {
    const few = await signInAtOura(own, PERSON)
    const replies = [
      await askOura(own, few, "sleep"),
      await askOura(own, few, "sleep"),
      await askOura(own, few, "sleep"),
    ]
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(replies[0]?.headers.has("x-ratelimit-limit")).toBe(false)
    expect(replies[2]?.headers.get("retry-after")).toBe("300")
    expect(replies[2]?.headers.get("x-ratelimit-tier")).toBe("user")
  })
})
