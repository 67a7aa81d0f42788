/* Deliveries to receivers that are late, fail, redirect, hang, are away or are gone: each message arrives, or the receiver is disabled. */
import { setTimeout as wait } from "node:timers/promises"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { readSecurityLog } from "../http/read-logs.ts"
import { newToken, pushed } from "../pushes/pusher.ts"
import { deliveriesOf, makeWebhook, WEBHOOKS, webhooksOf } from "./own-webhooks.ts"
import { answerWith, Receiver } from "./receiver.ts"

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000

let service: TestService
beforeAll(async () => {
  const environment = { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" }
  service = await startTestService({ days: 1, now: new Date(), isStill: true, environment })
})
afterAll(() => service.close())

/** A person whose phone pushes workouts, each of which is one event for the webhook. */
async function pusher(url: string) {
  const member = new Member(service)
  await member.signUp()
  const { token } = await newToken(member)
  const { id } = await makeWebhook(member, url)
  let count = 0
  /** @param several workouts at once */
  const workOut = async (several = 1) => {
    const nowMs = service.simulator.clock.nowMs()
    const records = Array.from({ length: several }, () => {
      count += 1
      const at = (minutes: number) => new Date(nowMs - minutes * 60_000 - count * 1_800_000).toISOString()
      return { type: "workout", start: at(20), end: at(0), value: "running" }
    })
    await pushed(service, { records }, { token })
  }
  return { member, id, workOut, deliveries: () => deliveriesOf(member, id) }
}

test("a receiver that fails is tried for three days by the times of the manual, and is then disabled with a notice", async () => {
  await using receiver = await Receiver.start()
  receiver.answer = answerWith(500, "upstream is down")
  const { member, id, workOut, deliveries } = await pusher(receiver.url)
  await workOut()
  await expect.poll(() => receiver.received.length).toBe(1)
  const seconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
  for (const [index, wanted] of seconds.entries()) {
    await expect.poll(async () => (await deliveries())[0]?.attempts).toBe(index + 1)
    const [{ next_attempt_at: next, last_attempt: last } = { next_attempt_at: null, last_attempt: null }] =
      await deliveries()
    expect(Date.parse(next ?? "") - Date.parse(last?.at ?? "")).toBe(wanted * SECOND_MS)
    expect(last).toMatchObject({ status: 500, answer: "upstream is down" })
    service.simulator.clock.advance((wanted - 1) * SECOND_MS)
    await wait(1_500)
    expect(receiver.received.length).toBe(index + 1)
    service.simulator.clock.advance(SECOND_MS)
    await expect.poll(() => receiver.received.length).toBe(index + 2)
  }
  await expect
    .poll(async () => (await webhooksOf(member))[0]?.disabled)
    .toMatchObject({
      reason: "nothing arrived for three days, the last answer: upstream is down",
    })
  expect(new Set(receiver.received.map((one) => one.id)).size).toBe(1)
  expect(await deliveries()).toMatchObject([{ status: "failed", attempts: 10, next_attempt_at: null }])
  expect((await readSecurityLog(member)).entries).toContainEqual(
    expect.objectContaining({
      type: "webhook_disabled",
      detail: expect.stringContaining(`127.0.0.1:${receiver.port}`),
    }),
  )
  await workOut()
  expect((await deliveries()).length).toBe(1)
  const [delivery] = await deliveries()
  expect((await member.send("POST", `${WEBHOOKS}/${id}/deliveries/${delivery?.id}/redeliver`)).status).toBe(409)
})

test("a message that fails for three days beside others that arrive is given up with one notice a day", async () => {
  await using receiver = await Receiver.start()
  const isRefused = (body: string) => /"kind":"workout"/.test(body) && refused.has(JSON.parse(body).data.id)
  const refused = new Set<unknown>()
  receiver.answer = (response) => {
    const { body = "", event } = receiver.received.at(-1) ?? {}
    if (refused.size < 2 && event?.type === "workout.recorded") refused.add(event.data.id)
    response.writeHead(isRefused(body) ? 422 : 204).end("no such sport")
  }
  const { member, id, workOut, deliveries } = await pusher(receiver.url)
  await workOut(2)
  const failed = async () => (await deliveries()).filter(({ status }) => status === "failed")
  for (let tried = 0; tried < 60 && (await failed()).length < 2; tried += 1) {
    await workOut()
    // Each failure makes the others wait a little.
    for (const ms of [11 * HOUR_MS, HOUR_MS / 2, HOUR_MS / 2]) {
      service.simulator.clock.advance(ms)
      await wait(400)
    }
  }
  expect((await failed()).map(({ attempts }) => attempts)).toEqual([10, 10])
  const [webhook] = await webhooksOf(member)
  expect(webhook).toMatchObject({ disabled: null, given_up: 2 })
  const { rows } = await service.store.pool.query(
    `select n.message ->> 'title' as title, n.channels from restwell.notice n join restwell."user" u on u.id = n.user_id
     where u.email = $1`,
    [member.email],
  )
  expect(rows.length).toBeGreaterThan(0)
  expect(new Set(rows.map(({ title }) => title))).toEqual(
    new Set([`A message to 127.0.0.1:${receiver.port} did not arrive`]),
  )
  const [lost] = await failed()
  receiver.answer = answerWith(204)
  expect((await member.send("POST", `${WEBHOOKS}/${id}/deliveries/${lost?.id}/redeliver`)).status).toBe(202)
  await expect.poll(async () => (await webhooksOf(member))[0]?.given_up).toBe(1)
})

test("an answer of 410 disables at once, and a test that arrives enables again", async () => {
  await using receiver = await Receiver.start()
  receiver.answer = answerWith(410)
  const { member, id, workOut, deliveries } = await pusher(receiver.url)
  await workOut(3)
  const disabled = async () => (await webhooksOf(member))[0]?.disabled
  await expect.poll(disabled).toMatchObject({ reason: "it answered 410, which says that it is gone" })
  expect(receiver.received.length).toBe(1)
  expect((await deliveries()).map(({ status }) => status)).toEqual(["failed", "failed", "failed"])
  const refused = await member.send("POST", `${WEBHOOKS}/${id}/test`)
  expect([refused.status, (await refused.json()).message]).toEqual([502, `127.0.0.1:${receiver.port} answered 410: `])
  expect(await disabled()).not.toBeNull()
  receiver.answer = answerWith(200, "thanks")
  expect((await member.send("POST", `${WEBHOOKS}/${id}/test`)).status).toBe(200)
  expect(await disabled()).toBeNull()
  const lost = (await deliveries()).find(({ attempts }) => attempts === 0)
  expect((await member.send("POST", `${WEBHOOKS}/${id}/deliveries/${lost?.id}/redeliver`)).status).toBe(202)
  await expect.poll(() => receiver.received.at(-1)?.id).toBe(lost?.id)
  const again = () => member.send("POST", `${WEBHOOKS}/${id}/deliveries/${lost?.id}/redeliver`)
  const statuses = (await Promise.all(Array.from({ length: 70 }, again))).map(({ status }) => status)
  expect([...Map.groupBy(statuses, (status) => status)].map(([status, all]) => [status, all.length])).toEqual([
    [202, 59],
    [429, 11],
  ])
  await workOut()
  await expect.poll(() => receiver.types().at(-1)).toBe("workout.recorded")
})

test("a receiver that is away gets all messages once it is back", async () => {
  await using receiver = await Receiver.start()
  const { port, url } = receiver
  await receiver.leave()
  const { workOut, deliveries } = await pusher(url)
  await workOut(20)
  await expect
    .poll(async () => (await deliveries()).find(({ attempts }) => attempts > 0)?.last_attempt)
    .toMatchObject({
      status: null,
      answer: "nothing listens at this address: check the port, and that the receiver runs",
    })
  service.simulator.clock.advance(20 * SECOND_MS)
  await wait(2_000)
  await receiver.listen(port)
  service.simulator.clock.advance(HOUR_MS)
  await expect.poll(() => new Set(receiver.received.map(({ id }) => id)).size).toBe(20)
  expect(receiver.received.length).toBe(20)
  await expect.poll(async () => (await deliveries()).map(({ status }) => status)).toEqual(Array(20).fill("delivered"))
})

test("a receiver that hangs delays nobody, and its message is tried again", async () => {
  await using hanging = await Receiver.start()
  await using quick = await Receiver.start()
  hanging.answer = () => {}
  const slow = await pusher(hanging.url)
  const other = await pusher(quick.url)
  await slow.workOut(5)
  await expect.poll(() => hanging.received.length).toBe(1)
  await other.workOut(5)
  await expect.poll(() => quick.received.length).toBe(5)
  // Each request to the receiver that hangs takes 15 seconds, and a busy machine may have needed more than that.
  expect(hanging.received.length).toBeLessThan(5)
  await expect
    .poll(async () => (await slow.deliveries()).find(({ attempts }) => attempts > 0)?.last_attempt, {
      timeout: 60_000,
    })
    .toMatchObject({ status: null, answer: "it did not answer within 15 seconds" })
  hanging.answer = answerWith(204)
  service.simulator.clock.advance(5 * SECOND_MS)
  await expect.poll(() => new Set(hanging.received.map(({ id }) => id)).size).toBe(5)
})

test("a redirect is not followed, and a connection that breaks is no answer", async () => {
  await using target = await Receiver.start()
  await using receiver = await Receiver.start()
  receiver.answer = (response) => void response.writeHead(307, { location: target.url }).end()
  const { member, id, workOut, deliveries } = await pusher(receiver.url)
  await workOut()
  await expect
    .poll(async () => (await deliveries())[0]?.last_attempt)
    .toMatchObject({
      status: 307,
      answer: "it redirects to another address: enter that one",
    })
  receiver.answer = (response) => void response.destroy()
  const broken = await member.send("POST", `${WEBHOOKS}/${id}/test`)
  expect([broken.status, (await broken.json()).message]).toEqual([
    502,
    `nothing was sent to 127.0.0.1:${receiver.port}: it closed the connection without an answer`,
  ])
  receiver.answer = answerWith(200, `${"x".repeat(100_000)}`)
  expect((await member.send("POST", `${WEBHOOKS}/${id}/test`)).status).toBe(200)
  expect((await deliveries())[0]?.last_attempt?.answer.length).toBe(500)
  expect(target.received).toEqual([])
})

test("two replicas send each message once", async () => {
  const replica = await service.startReplica("worker")
  await using receiver = await Receiver.start()
  receiver.answer = (response) => void setTimeout(() => response.writeHead(204).end(), 20)
  const { workOut } = await pusher(receiver.url)
  for (let round = 0; round < 5; round += 1) await workOut(10)
  await expect.poll(() => receiver.received.length).toBe(50)
  await wait(1_000)
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(50)
  expect(receiver.received.length).toBe(50)
  await replica.close()
})
