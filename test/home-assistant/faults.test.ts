// A broker that is killed, is away or forgets, a Home Assistant that restarts, and processes that take over from each other: nothing is lost.
import { DiscoverySchema } from "@restwell/testing/home-assistant"
import { Member } from "@restwell/testing/member"
import { startBroker, type TestBroker } from "@restwell/testing/mqtt-broker"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterEach, expect, test } from "vitest"

const DAY_MS = 86_400_000
const LONG = { timeout: 60_000, interval: 50 }

let broker: TestBroker
let service: TestService
let member: Member
async function start(options?: Parameters<typeof startBroker>[0]): Promise<void> {
  broker = await startBroker(options)
  service = await startTestService({ now: new Date("2026-11-20T11:30:00Z"), environment: { MQTT_URL: broker.url } })
  const person = service.simulator.people.add({ email: "ada@example.com" })
  ;({ member } = await Member.connected(service, person))
  await member.send("PUT", "/api/account/notifications", { home_assistant: true })
}

async function startPublished(options?: Parameters<typeof startBroker>[0]): Promise<void> {
  await start(options)
  await expect.poll(() => stateOf()["asleep"], LONG).toEqual(expect.any(Number))
}

afterEach(async () => {
  await service.close()
  await broker.close()
})

const retained = (end: string) => [...broker.retained].find(([topic]) => topic.endsWith(end))
const stateOf = (): Record<string, unknown> => JSON.parse(retained("/state")?.[1] ?? "{}")
const availability = () => retained("/status")?.[1]
const events = () => broker.messages.filter(({ topic }) => topic.endsWith("/night_scored"))

test("a night that is scored while the broker is away arrives once it is back, with the time at which it came", async () => {
  await startPublished()
  await broker.kill()
  broker.clear()
  service.simulator.clock.advance(DAY_MS)
  await member.send("POST", "/api/connections/whoop/sync")
  const noted = async () => {
    const { rows } = await service.store.pool.query(
      "select night::text, night_arrived_at as at from restwell.home_assistant",
    )
    return rows[0]
  }
  await expect.poll(async () => (await noted()).night, LONG).toBe("2026-11-21")
  const { at } = await noted()
  await broker.start()
  await expect.poll(events, LONG).toHaveLength(1)
  expect(JSON.parse(events()[0]?.payload ?? "")).toMatchObject({ date: "2026-11-21", arrived_at: at.toISOString() })
  await expect.poll(() => stateOf()["night_arrived"], LONG).toBe(at.toISOString())
  expect(DiscoverySchema.safeParse(JSON.parse(retained("/config")?.[1] ?? "null")).success).toBe(true)
  expect(availability()).toBe("online")
})

test("ten times a broker is killed, forgets what it retained, and has all of it again", async () => {
  await startPublished()
  for (let kill = 0; kill < 10; kill += 1) {
    await broker.kill()
    expect(broker.retained.size).toBe(0)
    await broker.start()
    await expect.poll(() => [availability(), stateOf()["asleep"]], LONG).toEqual(["online", expect.any(Number)])
  }
  expect(broker.clients()).toBe(1)
  expect(events()).toEqual([])
})

test("of two processes one is connected, the other one takes over, and a last will that comes late is answered", async () => {
  await startPublished()
  await service.startReplica("worker", { MQTT_URL: broker.url })
  await expect.poll(() => broker.clients(), LONG).toBe(1)
  await service.closeFirst()
  await expect.poll(() => [broker.clients(), availability()], LONG).toEqual([1, "online"])
  const [topic = ""] = retained("/status") ?? []
  await broker.publish(topic, "offline", { isRetained: true })
  await expect.poll(availability, LONG).toBe("online")
})

test("a service that stops says offline, and no log has the password of the broker or a name", async () => {
  await startPublished()
  await service.closeFirst()
  expect(availability()).toBe("offline")
  expect(broker.clients()).toBe(0)
  expect(service.log.join("\n")).not.toMatch(/mqtt:\/\/|Ada/)
})

test("a broker that lets its user not subscribe has everything published, with a warning", async () => {
  await startPublished({ subscriptions: "refused" })
  expect(availability()).toBe("online")
  const warnings = service.log.filter((line) => line.includes("lets this user not read these topics"))
  expect(warnings).toEqual([expect.stringContaining("homeassistant/status")])
})

test("a broker that never answers to a subscription is silent, and is tried again", async () => {
  await start({ subscriptions: "unanswered" })
  await expect
    .poll(() => service.log.filter((line) => line.includes("the broker does not answer to a subscription")), LONG)
    .toContainEqual(expect.stringContaining('"code":"silent"'))
})

test("a service that stops waits for no answer to a subscription", async () => {
  await start({ subscriptions: "unanswered" })
  await expect.poll(() => broker.clients(), LONG).toBe(1)
  await service.closeFirst()
  await expect.poll(() => broker.clients()).toBe(0)
})
