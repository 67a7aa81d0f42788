/* Tests of channels: each says whether a message arrives, and what the receiver answered. A receiver that is disabled is told by email. */
import { once } from "node:events"
import { createServer } from "node:http"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { readUserId } from "../http/read-logs.ts"
import { type MailServer, startMailServer } from "../people/mail-server.ts"
import { makeWebhook, WEBHOOKS, webhooksOf } from "../telling/own-webhooks.ts"
import { answerWith, Receiver } from "../telling/receiver.ts"

const PATH = "/api/account/notifications"

let mailServer: MailServer
let service: TestService
beforeAll(async () => {
  mailServer = await startMailServer()
  service = await startTestService({
    days: 30,
    environment: {
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      SMTP_URL: mailServer.url,
      MAIL_FROM: "Restwell <restwell@example.com>",
    },
  })
})
afterAll(async () => {
  await service.close()
  await mailServer.close()
})

async function signedUp(at: TestService = service): Promise<Member> {
  const member = new Member(at)
  await member.signUp()
  return member
}

const tested = async (member: Member, channel: string): Promise<unknown[]> => {
  const response = await member.send("POST", `${PATH}/test`, { channel })
  return [response.status, (await response.json()).message]
}

test("a test by email arrives, or says what the mail server answered", async () => {
  const member = await signedUp()
  expect(await tested(member, "email")).toEqual([200, undefined])
  const mail = await mailServer.mailTo(member.email)
  expect(mail.text).toContain("This is a test. Notifications arrive at this address.")
  mailServer.isFailing = true
  expect(await tested(member, "email")).toEqual([502, expect.stringContaining("try again later")])
  mailServer.isFailing = false
  for (let count = 2; count < 10; count += 1) await tested(member, "email")
  expect((await tested(member, "email"))[0]).toBe(429)
})

test("a test by webhook goes to the person's webhooks, or says what they answered", async () => {
  await using receiver = await Receiver.start()
  const member = await signedUp()
  expect(await tested(member, "webhook")).toEqual([400, "channel webhook is not set up: make a webhook first"])
  await makeWebhook(member, receiver.url)
  expect(await tested(member, "webhook")).toEqual([200, undefined])
  expect(receiver.types()).toEqual(["webhook.test"])
  receiver.answer = answerWith(500)
  const host = `127.0.0.1:${receiver.port}`
  expect(await tested(member, "webhook")).toEqual([502, expect.stringContaining(`${host} answered 500`)])
})

test("a person who sends many tests is asked to wait, by each channel and by the webhook itself", async () => {
  await using receiver = await Receiver.start()
  const member = await signedUp()
  const { id } = await makeWebhook(member, receiver.url)
  const test = async (): Promise<unknown[]> => {
    const response = await member.send("POST", `${WEBHOOKS}/${id}/test`)
    return [response.status, (await response.json()).message]
  }
  const tooMany = [429, expect.stringMatching(/^too many test messages, try again in \d+ seconds$/)]
  for (let count = 0; count < 9; count += 1) expect((await test())[0]).toBe(200)
  expect((await tested(member, "webhook"))[0]).toBe(200)
  expect(await test()).toEqual(tooMany)
  expect(await tested(member, "webhook")).toEqual(tooMany)
  expect(receiver.received.length).toBe(10)
  for (const channel of ["ntfy", "push"]) {
    for (let count = 0; count < 10; count += 1) expect((await tested(member, channel))[0]).toBe(400)
    expect(await tested(member, channel)).toEqual(tooMany)
  }
  expect((await tested(await signedUp(), "ntfy"))[0]).toBe(400)
})

test("an email without a mail server is refused in words", async () => {
  const without = await startTestService({ days: 1 })
  const said = await tested(await signedUp(without), "email")
  await without.close()
  expect(said).toEqual([
    400,
    "channel email is not set up: this Restwell sends no email yet, its owner can set a mail server up on the page Service",
  ])
})

test("a person is told by email, once, that a webhook was disabled", async () => {
  await using receiver = await Receiver.start()
  const member = await signedUp()
  const { id } = await makeWebhook(member, receiver.url)
  receiver.answer = answerWith(410)
  await member.connect(service.simulator.people.addOne())
  await expect.poll(async () => (await webhooksOf(member)).find((each) => each.id === id)?.disabled).not.toBeNull()
  const mail = await mailServer.mailTo(member.email)
  expect(mail.headers).toContain(`Subject: Nothing is sent to 127.0.0.1:${receiver.port} any more`)
  expect(mail.text).toContain("it answered 410, which says that it is gone")
  expect(mail.text).toContain("/notifications")
  expect(mailServer.mails.filter(({ recipients }) => recipients.includes(member.email))).toHaveLength(1)
})

test("a webhook that answers a test with 410 is disabled, as one that answers a message so", async () => {
  await using receiver = await Receiver.start()
  const member = await signedUp()
  const { id } = await makeWebhook(member, receiver.url)
  receiver.answer = answerWith(410)
  expect((await tested(member, "webhook"))[0]).toBe(502)
  const disabled = { reason: "it answered 410, which says that it is gone" }
  expect(await webhooksOf(member)).toMatchObject([{ id, disabled }])
  receiver.answer = answerWith(204)
  expect((await tested(member, "webhook"))[0]).toBe(200)
  expect(await webhooksOf(member)).toMatchObject([{ id, disabled: null }])
})

test("the settings say that a topic of ntfy was given up, until a test arrives", async () => {
  const topic = createServer((_, response) => response.end("{}")).listen(0, "127.0.0.1")
  await once(topic, "listening")
  const { port } = z.object({ port: z.number() }).parse(topic.address())
  const url = `http://127.0.0.1:${port}/topic`
  const member = await signedUp()
  const settings = async () => (await member.send("GET", PATH)).json()
  await member.send("PUT", PATH, { ntfy: { url } })
  expect((await settings()).ntfy).toEqual({ url, has_token: false, disabled: null })
  await service.store.pool.query(
    "update restwell.receiver set disabled_at = $1, disabled_reason = 'nothing arrived for three days' where user_id = $2",
    ["2026-11-20T07:00:00Z", await readUserId(member)],
  )
  const disabled = { at: "2026-11-20T07:00:00.000Z", reason: "nothing arrived for three days" }
  expect((await settings()).ntfy).toEqual({ url, has_token: false, disabled })
  expect((await member.send("PUT", PATH, { quiet: null, rules: [] })).status).toBe(200)
  expect((await settings()).ntfy).toMatchObject({ disabled })
  expect((await tested(member, "ntfy"))[0]).toBe(200)
  const { ntfy } = await settings()
  expect(ntfy.disabled).toBeNull()
  // What the response has may be sent back with a change.
  expect((await member.send("PUT", PATH, { ntfy })).status).toBe(200)
  topic.close()
})
