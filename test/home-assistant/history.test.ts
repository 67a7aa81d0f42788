// The history in Home Assistant's long-term statistics: whole once, then what changed, by messages that its schema accepts, idempotent.
import { TrendsResponseSchema } from "@restwell/client"
import { enduranceAthlete } from "@restwell/simulator"
import { startHomeAssistant, type TestHomeAssistant } from "@restwell/testing/home-assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const DAY_MS = 86_400_000
/** Who never travels. */
const traits = { ...enduranceAthlete, life: { ...enduranceAthlete.life, tripsPerYear: 0 } }
const LONG = { timeout: 60_000, interval: 50 }

let home: TestHomeAssistant
let service: TestService
let member: Member
beforeAll(async () => {
  home = await startHomeAssistant()
  service = await startTestService({
    now: new Date("2026-11-20T11:30:00Z"),
    days: 200,
    environment: { HOME_ASSISTANT_URL: home.url, HOME_ASSISTANT_TOKEN: home.token },
  })
  ;({ member } = await Member.connected(service, service.simulator.people.add({ email: "lena@example.com", traits })))
})
afterAll(async () => {
  await service.close()
  await home.close()
})

async function turn(isOn: boolean): Promise<void> {
  expect((await member.send("PUT", "/api/account/notifications", { home_assistant: isOn })).status).toBe(200)
}

async function trends() {
  const answer = await member.send("GET", "/api/account/trends?days=all")
  return TrendsResponseSchema.parse(await answer.json()).days
}

/** The means of a figure by date. */
const sent = (end: string): Readonly<Record<string, number>> => {
  const [, found] = [...home.statistics].find(([id]) => id.endsWith(end)) ?? []
  return Object.fromEntries([...(found?.means ?? [])].map(([start, mean]) => [start.slice(0, 10), mean]))
}

const expected = async (value: (day: Awaited<ReturnType<typeof trends>>[number]) => number | null | undefined) =>
  Object.fromEntries((await trends()).flatMap((day) => (value(day) == null ? [] : [[day.date, value(day)]])))

const isDone = async () => {
  const { rows } = await service.store.pool.query(
    "select count(*)::int as due from restwell.job where kind = 'home_assistant_history' and due_at = '-infinity' or claim is not null and kind = 'home_assistant_history'",
  )
  return rows[0].due === 0
}

test("the whole history arrives once, each figure of each date, and equals the page's", async () => {
  await turn(true)
  await expect.poll(() => Object.keys(sent("_whoop_asleep")).length, LONG).toBeGreaterThan(100)
  await expect.poll(isDone, LONG).toBe(true)
  expect(home.refused).toEqual([])
  expect(sent("_whoop_asleep")).toEqual(await expected((day) => day.sleep?.asleep_hours))
  expect(sent("_whoop_hrv_rmssd")).toEqual(await expected((day) => day.recovery?.hrv))
  expect(sent("_whoop_recovery_score")).toEqual(await expected((day) => day.recovery?.score))
  expect(sent("_whoop_strain")).toEqual(await expected((day) => (day.strain?.is_open ? null : day.strain?.strain)))
  const names = [...home.statistics].map(([id, { name, unit }]) => [
    id.replace(/^restwell:[0-9a-f]{8}_/, ""),
    name,
    unit,
  ])
  expect(names).toContainEqual(["whoop_asleep", "Ada: Time asleep (WHOOP)", "h"])
  expect(names).toContainEqual(["whoop_recovery_score", "Ada: WHOOP recovery", "%"])
})

test("then a new day sends that month alone, and what did not change is not sent again", async () => {
  const before = home.imports()
  await service.store.pool.query("update restwell.person set data_version = data_version + 1")
  await expect.poll(isDone, LONG).toBe(true)
  expect(home.imports()).toBe(before)
  service.simulator.clock.advance(DAY_MS)
  await member.send("POST", "/api/connections/whoop/sync")
  await expect.poll(() => sent("_whoop_asleep")["2026-11-21"], LONG).toEqual(expect.any(Number))
  await expect.poll(isDone, LONG).toBe(true)
  expect(home.imports() - before).toBeLessThan(40)
  expect(sent("_whoop_asleep")).toEqual(await expected((day) => day.sleep?.asleep_hours))
})

test("a record of years ago that changes is sent again with the next look at all months", async () => {
  const { rows } = await service.store.pool.query(
    "update restwell.record set detail = (detail::jsonb || '{\"hrvMs\": 99.5}')::json where kind = 'recovery' and date = (select min(date) + 5 from restwell.record where kind = 'recovery') returning date::text",
  )
  const date = rows[0].date
  expect(sent("_whoop_hrv_rmssd")[date]).not.toBe(99.5)
  service.simulator.clock.advance(DAY_MS)
  await member.send("POST", "/api/connections/whoop/sync")
  await expect.poll(() => sent("_whoop_hrv_rmssd")[date], LONG).toBe(99.5)
})

test("Home Assistant that was away gets all of it, and why it failed is stored for the operator", async () => {
  await home.stop()
  await turn(false)
  await turn(true)
  const failure = async () =>
    (await service.store.pool.query("select failure from restwell.home_assistant_link where link = 'history'")).rows[0]
      ?.failure
  await expect.poll(failure, LONG).toMatch(/^Home Assistant cannot be reached: nothing answers on this port/)
  const devices = home.statistics.size
  await home.start()
  service.simulator.clock.advance(3_600_000)
  await expect.poll(() => home.statistics.size, LONG).toBeGreaterThan(devices)
  await expect.poll(failure, LONG).toBeNull()
})

test("an older Home Assistant gets the message that it knows, and a token without rights is named", async () => {
  const older = await startHomeAssistant({ isFormer: true })
  const forbidden = await startHomeAssistant({ isAdministrator: false })
  const useAt = ({ url, token }: TestHomeAssistant) =>
    service.startReplica("worker", { HOME_ASSISTANT_URL: url, HOME_ASSISTANT_TOKEN: token })
  try {
    await service.closeFirst()
    const replica = await useAt(older)
    await expect.poll(() => older.imports(), LONG).toBeGreaterThan(10)
    await replica.close()
    // Another process need not wait until its silence counts.
    const held = await service.store.pool.query("select kind from restwell.job where claim is not null")
    expect(held.rows).toEqual([])
    expect(older.refused).toEqual([])
    await useAt(forbidden)
    await expect.poll(() => service.log.join("\n"), LONG).toMatch(/the token is not one of an administrator/)
    expect(service.log.join("\n")).not.toContain(older.token)
  } finally {
    await older.close()
    await forbidden.close()
  }
})
