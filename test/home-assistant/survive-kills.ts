// People who are published to Home Assistant, while the service that publishes them is killed again and again.
import { setTimeout as wait } from "node:timers/promises"
import { DayResponseSchema } from "@restwell/client"
import { randomFor } from "@restwell/simulator"
import { DiscoverySchema } from "@restwell/testing/home-assistant"
import { Member } from "@restwell/testing/member"
import { serviceEnvironment } from "@restwell/testing/service"
import { createWorld, type World } from "@restwell/testing/world"
import { expect } from "vitest"
import { KillableService } from "../crash/killable-service.ts"

/** A broker that holds what is retained. */
interface Broker {
  readonly url: string
  readonly retained: ReadonlyMap<string, string>
}

const PEOPLE = 3
/** The job of a process that died is taken over after 15 seconds, by a process that looks every 30. */
const LONG = { timeout: 90_000, interval: 100 }

/**
 * Kills the service with -9 while people are switched on and off. Expects that the broker says `offline` after each kill and `online` after
 * each start, and that at the end exactly the people who are on are published, each with the figures of the API.
 */
export async function surviveHomeAssistantKills(broker: Broker, kills: number, seed: string): Promise<void> {
  const world = await createWorld({ days: 20, seed, now: new Date() })
  const service = new KillableService({ ...serviceEnvironment(world.store, world.simulator), MQTT_URL: broker.url })
  const random = randomFor(seed, "home assistant")
  const ending = (end: string) => [...broker.retained].filter(([topic]) => topic.endsWith(end))
  const availability = () => ending("/status")[0]?.[1]
  try {
    await service.startReady()
    const people = await Promise.all(Array.from({ length: PEOPLE }, () => connected(world, service)))
    await expect.poll(availability, LONG).toBe("online")
    for (let kill = 0; kill < kills; kill += 1) {
      for (const { member } of people) await turn(member, random.integer(0, 2) > 0)
      await wait(random.integer(0, 400))
      await service.kill()
      await expect.poll(availability, LONG).toBe("offline")
      await service.startReady()
      await expect.poll(availability, LONG).toBe("online")
    }
    const [last, ...others] = people
    if (!last) throw new Error("nobody was published")
    await turn(last.member, false)
    for (const { member } of others) await turn(member, true)
    await service.kill()
    await service.startReady()
    const expected = (await Promise.all(others.map(({ key }) => asleepOf(service, key)))).toSorted()
    const published = () => ending("/state").map(([, payload]) => JSON.parse(payload)["asleep"])
    await expect.poll(() => published().toSorted(), LONG).toEqual(expected)
    expect(ending("/config").map(([, payload]) => DiscoverySchema.safeParse(JSON.parse(payload)).success)).toEqual(
      others.map(() => true),
    )
    await expect.poll(availability, LONG).toBe("online")
  } finally {
    await service.stop()
    await world.close()
  }
}

async function connected(world: World, service: KillableService) {
  const member = new Member(service)
  await member.signUp()
  await member.connect(world.simulator.people.addOne())
  await member.untilHistoryIsComplete()
  return { member, key: await member.newKey() }
}

const turn = async (member: Member, isOn: boolean): Promise<void> => {
  const response = await member.send("PUT", "/api/account/notifications", { home_assistant: isOn })
  expect(response.status).toBe(200)
}

/** The hours of sleep that the API has of today. Null where the night is not there. */
async function asleepOf({ url }: KillableService, key: string): Promise<number | null> {
  const answer = await fetch(`${url}/api/v1/day`, { headers: { authorization: `Bearer ${key}` } })
  const { sleep, today, date } = DayResponseSchema.parse(await answer.json())
  const night = date === today ? sleep?.records.find(({ is_nap: isNap }) => !isNap) : undefined
  return night?.asleep_hours ?? null
}
