/* Syncs, pushes, imports, connects, messages and settings of one person at once: none of them fails because another one locks what it needs. */
import { setTimeout as wait } from "node:timers/promises"
import { DAY_MS } from "@restwell/client/time-units"
import { whoopArchive } from "@restwell/testing/archive"
import { Member } from "@restwell/testing/member"
import { type Replica, startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { uploadArchive } from "../imports/upload-archive.ts"
import { newToken, push } from "../pushes/pusher.ts"
import { makeWebhook, WEBHOOKS } from "../telling/own-webhooks.ts"
import { answerWith, Receiver } from "../telling/receiver.ts"

/** PostgreSQL ends a deadlock after this time. It is short, so that many changes meet in a short test. */
const DEADLOCK_TIMEOUT = "10ms"
const LASTS_MS = 8_000

let service: TestService
let replica: Replica
let receiver: Receiver
beforeAll(async () => {
  receiver = await Receiver.start()
  service = await startTestService({
    days: 30,
    now: new Date("2026-11-20T11:00:00Z"),
    vendor: "oura",
    environment: { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" },
  })
  const { rows } = await service.store.pool.query("select current_database() as name")
  await service.store.pool.query(`alter database ${rows[0].name} set deadlock_timeout = '${DEADLOCK_TIMEOUT}'`)
  // The setting holds for new connections.
  await service.closeFirst()
  replica = await service.startReplica()
})
afterAll(async () => {
  await service.close()
  await receiver[Symbol.asyncDispose]()
})

const JOURNAL = "/api/account/journal/2026-11-10"

/** Two people cannot wait for each other, so one person has everything. */
async function personWithAll() {
  const member = new Member(replica)
  await member.signUp()
  const person = service.simulator.people.addOne()
  await member.connect(person)
  await member.connect(person, "oura")
  await member.untilHistoryIsComplete()
  await makeWebhook(member, receiver.url)
  await member.send("PUT", "/api/account/sources", { order: { sleep: ["oura"] } })
  await member.send("PUT", JOURNAL, { answers: [{ factor: "alcohol", answer: true }] })
  const own = await (await member.send("GET", "/api/account/export")).arrayBuffer()
  const archives = [whoopArchive(service.simulator.records(person)), Buffer.from(own)]
  return { member, person, archives, ...(await newToken(member)) }
}

const stepsAt = (count: number) => {
  const at = (minute: string) => `2026-11-1${count % 9}T0${count % 8}:${minute}:00Z`
  return { type: "steps", start: at("00"), end: at("10"), value: count, unit: "count", source: "Apple Watch" }
}

/** What a person, a phone, vendors and a webhook do, again and again. */
async function changesOf({ member, person, archives, token }: Awaited<ReturnType<typeof personWithAll>>) {
  const sync = (provider: string) => member.send("POST", `/api/connections/${provider}/sync`)
  return {
    // One after the other: a connect is only valid for minutes of the clock.
    "a night, and a connect of Oura": async (count: number) => {
      service.simulator.clock.advance(DAY_MS)
      const answer = await sync("whoop")
      if (count % 2 === 0) return answer
      await member.send("DELETE", "/api/connections/oura")
      await member.connect(person, "oura")
      return sync("oura")
    },
    notifications: (count: number) =>
      member.send("PUT", "/api/account/notifications", { home_assistant: count % 2 === 0 }),
    sources: (count: number) =>
      member.send("PUT", "/api/account/sources", { order: { sleep: [count % 2 === 0 ? "oura" : "whoop"] } }),
    journal: (count: number) =>
      member.send("PUT", JOURNAL, { answers: [{ factor: "alcohol", answer: count % 2 === 0 }] }),
    "a webhook": async (count: number) => {
      receiver.answer = answerWith(count % 2 === 0 ? 503 : 204)
      const { id } = await makeWebhook(member, receiver.url)
      await wait(50)
      return member.send("DELETE", `${WEBHOOKS}/${id}`)
    },
    "a push": (count: number) => push(replica, { records: [stepsAt(count)] }, { token }),
    "an import": async (count: number) => {
      const answer = await uploadArchive(replica.url, member, archives[count % archives.length] ?? Buffer.of())
      const { id } = z.object({ id: z.string() }).parse(await answer.clone().json())
      await wait(250)
      await member.send("DELETE", `/api/imports/${id}`)
      return answer
    },
  }
}

test("changes of one person at the same time wait for each other, and none fails", async () => {
  const changes = Object.entries(await changesOf(await personWithAll()))
  const ends = performance.now() + LASTS_MS
  const refused: string[] = []
  let made = 0
  const again = async ([what, change]: [string, (count: number) => Promise<Response>]) => {
    for (let count = 0; performance.now() < ends; count += 1) {
      const answer = await change(count)
      made += 1
      if (answer.status >= 400) refused.push(`${what}: ${answer.status} ${await answer.text()}`)
    }
  }
  await Promise.all(changes.map(again))
  await replica.close()
  expect(service.log.filter((line) => line.includes("deadlock"))).toEqual([])
  expect(refused).toEqual([])
  expect(made).toBeGreaterThan(changes.length)
}, 120_000)
