// What reaches Home Assistant over MQTT: a device a person that its schema accepts, the figures of today, and one event a night.
import { DayResponseSchema } from "@restwell/client"
import { enduranceAthlete } from "@restwell/simulator"
import { DiscoverySchema, EventPayloadSchema, statesIn } from "@restwell/testing/home-assistant"
import { Member } from "@restwell/testing/member"
import { startBroker, type TestBroker } from "@restwell/testing/mqtt-broker"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"

const HOUR_MS = 3_600_000
/** Who never travels. */
const traits = { ...enduranceAthlete, life: { ...enduranceAthlete.life, tripsPerYear: 0 } }
const LONG = { timeout: 30_000, interval: 50 }

let broker: TestBroker
let service: TestService
let member: Member
let key: string
let people = 0
beforeAll(async () => {
  broker = await startBroker({ password: { user: "restwell", password: "a secret of MQTT" } })
  service = await startTestService({ now: new Date("2026-11-20T11:30:00Z"), environment: { MQTT_URL: broker.url } })
})
afterAll(async () => {
  await service.close()
  await broker.close()
})
beforeEach(async () => {
  // Of Berlin: it is noon, and the night is scored.
  people += 1
  const person = service.simulator.people.add({ email: `lena-${people}@example.com`, traits })
  ;({ member, key } = await Member.connected(service, person))
  return async () => {
    await turn(false)
    broker.clear()
  }
})

const turn = (isOn: boolean) => member.send("PUT", "/api/account/notifications", { home_assistant: isOn })

const retained = (pattern: RegExp) => [...broker.retained].filter(([topic]) => pattern.test(topic))
const states = () => retained(/^restwell\/[0-9a-f]{8}\/state$/)

/** The device of the only person who is published. */
async function published() {
  await expect.poll(states, LONG).toHaveLength(1)
  const [[topic = "", discovery = ""] = []] = retained(/^homeassistant\/device\//)
  return { topic, discovery: DiscoverySchema.parse(JSON.parse(discovery)), state: () => states()[0]?.[1] ?? "" }
}

async function today() {
  const answer = await fetch(`${service.url}/api/v1/day`, { headers: { authorization: `Bearer ${key}` } })
  return DayResponseSchema.parse(await answer.json())
}

const eventsOf = () =>
  broker.messages
    .filter(({ topic }) => topic.endsWith("/night_scored"))
    .map(({ payload, isRetained }) => {
      expect(isRetained).toBe(false)
      return EventPayloadSchema.parse(JSON.parse(payload))
    })

test("a person who switches it on is a device that Home Assistant accepts, with the figures of today, and none who does not", async () => {
  expect(states()).toEqual([])
  await turn(true)
  const { topic, discovery, state } = await published()
  expect(topic).toMatch(/^homeassistant\/device\/restwell_[0-9a-f]{8}\/config$/)
  const { sleep, recovery, cycle } = await today()
  const [night, morning, day] = [
    sleep?.records.find(({ is_nap: isNap }) => !isNap),
    recovery?.records[0],
    cycle?.records[0],
  ]
  const figures = {
    asleep: night?.asleep_hours,
    in_bed: night?.duration_hours,
    deep: night?.stages?.deep_hours,
    rem: night?.stages?.rem_hours,
    light: night?.stages?.light_hours,
    awake: night?.stages?.awake_hours,
    sleep_efficiency: night?.score?.efficiency,
    whoop_sleep_performance: night?.score?.performance,
    respiratory_rate: night?.respiratory_rate,
    whoop_recovery_score: morning?.score,
    hrv_rmssd: morning?.hrv,
    resting_heart_rate: morning?.resting_heart_rate,
    whoop_strain: day?.strain,
    calories: day?.calories,
    woke: night?.end_local,
    fell_asleep: night?.start_local,
    last_sync: sleep?.source.last_synced_at,
  }
  const shown = Object.entries(figures).map(([name, value]) => [name, value ?? "unknown"])
  expect(statesIn(discovery, state())).toMatchObject(Object.fromEntries(shown))
  expect(night?.asleep_hours).toBeGreaterThan(3)
  const { components } = discovery
  // WHOOP has no steps, and Ada no scale.
  expect(Object.keys(components)).not.toContain("steps")
  expect(components).toMatchObject({
    asleep: { name: "Time asleep", unit_of_measurement: "h", device_class: "duration", state_class: "measurement" },
    whoop_recovery_score: { name: "WHOOP recovery", unit_of_measurement: "%" },
    hrv_rmssd: { name: "Heart rate variability", unit_of_measurement: "ms" },
    calories: { unit_of_measurement: "kcal", state_class: "total_increasing" },
    night_scored: { platform: "event", event_types: ["night_scored"] },
  })
  expect(JSON.stringify([...broker.retained])).not.toContain(member.email)
})

test("what is retained of a person goes with the switch, and with the account", async () => {
  for (const end of [() => turn(false), () => member.send("DELETE", "/api/account", { password: member.password })]) {
    await turn(true)
    await published()
    await end()
    await expect.poll(() => [...retained(/^homeassistant\//), ...states()], LONG).toEqual([])
  }
})

test("a night that is scored reaches the broker within seconds, as state and as one event with both times", async () => {
  await turn(true)
  const { state } = await published()
  // The night of the morning on which it was switched on was there before.
  expect(eventsOf()).toEqual([])
  const before = state()
  service.simulator.clock.advance(24 * HOUR_MS)
  const beganMs = performance.now()
  await member.send("POST", "/api/connections/whoop/sync")
  await expect.poll(eventsOf, LONG).toHaveLength(1)
  expect(performance.now() - beganMs).toBeLessThan(10_000)
  const { sleep } = await today()
  const night = sleep?.records.find(({ is_nap: isNap }) => !isNap)
  const [event] = eventsOf()
  expect(event).toMatchObject({
    event_type: "night_scored",
    date: sleep?.records[0]?.date,
    source: "whoop",
    woke_at: night?.end_local,
    asleep_hours: night?.asleep_hours,
  })
  const arrivedMs = Date.parse(String(event?.["arrived_at"]))
  expect(Math.abs(arrivedMs - service.simulator.clock.nowMs())).toBeLessThan(30_000)
  expect(event?.["delay_minutes"]).toBe(Math.round((arrivedMs - Date.parse(night?.end ?? "")) / 60_000))
  await expect.poll(state, LONG).not.toBe(before)
  expect(JSON.parse(state())).toMatchObject({
    asleep: night?.asleep_hours,
    woke: night?.end_local,
    night_arrived: event?.["arrived_at"],
  })
  // Home Assistant starts: everything is published again, but no event.
  broker.clear()
  await broker.publish("homeassistant/status", "online")
  await expect
    .poll(() => broker.messages.filter(({ topic }) => /\/(?:state|config)$/.test(topic)), LONG)
    .toHaveLength(2)
  expect(eventsOf()).toEqual([])
})

test("from midnight on yesterday's night is not today's: its figures are unknown until the next one is scored", async () => {
  await turn(true)
  const { state, discovery } = await published()
  expect(statesIn(discovery, state())["asleep"]).toEqual(expect.any(Number))
  service.simulator.clock.advance(13 * HOUR_MS)
  await expect.poll(() => statesIn(discovery, state())["asleep"], LONG).toBe("unknown")
  expect(statesIn(discovery, state())).toMatchObject({
    woke: "unknown",
    whoop_recovery_score: "unknown",
    unusual_figures: "unknown",
  })
})
