import { AccountResponseSchema, PeopleResponseSchema } from "@restwell/client"
import { Member } from "@restwell/testing/member"
import { readMetrics, startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { readUserId } from "../http/read-logs.ts"
import { type MailServer, startMailServer } from "./mail-server.ts"
import { linkIn } from "./parse-mail.ts"

const WAIT_MS = 40_000

let mail: MailServer
let service: TestService
let owner: Member
beforeAll(async () => {
  mail = await startMailServer()
  service = await startTestService({ days: 3, environment: { SMTP_URL: mail.url, MAIL_FROM: "home@restwell.example" } })
  owner = new Member(service)
  await owner.setUp()
})
afterAll(async () => {
  await service.close()
  await mail.close()
})
afterEach(() => {
  mail.isFailing = false
})

const readMail = async () =>
  PeopleResponseSchema.parse(await (await owner.send("GET", "/api/service/people")).json()).mail

/** Makes an email due that waits for its next try. */
const tryAgainNow = () => service.store.pool.query("update restwell.job set due_at = '-infinity' where kind = 'mail'")

test("an invitation is sent to its address, and the link there creates the account", { timeout: WAIT_MS }, async () => {
  const lena = new Member(service)
  const response = await owner.send("POST", "/api/service/invitations", { email: lena.email, send: true, plan: "pro" })
  expect(await response.json()).toMatchObject({ link: null })
  const received = await mail.mailTo(lena.email)
  expect(received.headers).toContain("Subject: You are invited to Restwell")
  expect(received.headers).toContain("From: Restwell <home@restwell.example>")
  expect(received.headers).toContain("Auto-Submitted: auto-generated")
  const link = linkIn(received)
  expect(link.pathname).toBe("/invite")
  const body = { name: "Lena", email: lena.email, password: lena.password, invitation: link.hash.slice(1) }
  expect((await lena.send("POST", "/api/auth/sign-up/email", body)).status).toBe(200)
  expect(await (await lena.send("GET", "/api/account")).json()).toMatchObject({ plan: "pro" })
})

test("an email that the server refuses is displayed, logged without its address, and sent later", {
  timeout: WAIT_MS,
}, async () => {
  mail.isFailing = true
  const email = `${crypto.randomUUID()}@example.com`
  await owner.send("POST", "/api/service/invitations", { email, send: true })
  const failure = async () => (await readMail()).failures.find(({ address }) => address === email)
  await expect.poll(failure).toMatchObject({ kind: "invitation", attempts: 1, error: expect.stringContaining("451") })
  expect((await readMail()).waiting).toBe(1)
  const warning = service.log.find((line) => line.includes("could not send an email"))
  expect(JSON.parse(warning ?? "{}")).toMatchObject({ level: 40, kind: "invitation", attempt: 1, status: 451 })
  expect(service.log.join("\n")).not.toContain(email)
  const metrics = await readMetrics(service)
  expect(metrics).toMatch(/^restwell_emails_total\{kind="invitation",outcome="sent"\} [1-9]/m)
  expect(metrics).toMatch(/^restwell_emails_total\{kind="invitation",outcome="failed"\} 1$/m)
  expect(metrics).toMatch(/^restwell_emails_total\{kind="reconnect",outcome="failed"\} 0$/m)
  await tryAgainNow()
  await expect.poll(failure).toMatchObject({ attempts: 2 })
  mail.isFailing = false
  await tryAgainNow()
  expect(linkIn(await mail.mailTo(email)).pathname).toBe("/invite")
  await expect.poll(async () => [await failure(), (await readMail()).waiting]).toEqual([undefined, 0])
  expect((await readMail()).last_sent_at).not.toBeNull()
})

test("what waits while the mail server is away, or the service, is sent afterwards", { timeout: WAIT_MS }, async () => {
  const other = await startMailServer()
  const settings = { SMTP_URL: other.url, MAIL_FROM: "home@restwell.example" }
  const away = await startTestService({ days: 3, environment: settings })
  const member = new Member(away)
  await member.signUp()
  other.isFailing = true
  expect((await member.send("POST", "/api/auth/forgot-password", { email: member.email })).status).toBe(202)
  await expect
    .poll(async () => (await away.store.pool.query("select attempts from restwell.mail")).rows)
    .toEqual([{ attempts: 1 }])
  await away.closeFirst()
  other.isFailing = false
  await away.store.pool.query("update restwell.job set due_at = '-infinity' where kind = 'mail'")
  await away.startReplica("worker", { BASE_URL: "https://restwell.example" })
  expect(linkIn(await other.mailTo(member.email)).origin).toBe("https://restwell.example")
  expect(other.mails).toHaveLength(1)
  await away.close()
  await other.close()
})

test("no number of processes sends an email twice", { timeout: WAIT_MS }, async () => {
  const replica = await service.startReplica("worker")
  const emails = Array.from({ length: 8 }, () => `${crypto.randomUUID()}@example.com`)
  await Promise.all(emails.map((email) => owner.send("POST", "/api/service/invitations", { email, send: true })))
  for (const email of emails) await mail.mailTo(email)
  await expect.poll(async () => (await readMail()).waiting).toBe(0)
  for (const email of emails) expect(mail.mails.filter(({ recipients }) => recipients.includes(email))).toHaveLength(1)
  await replica.close()
})

/** An email whose process died while it sent it, or is as silent. @returns its id */
async function silentMail(person: Member): Promise<string> {
  const client = await service.store.pool.connect()
  try {
    await client.query("begin")
    const { rows } = await client.query<{ id: string }>(
      `insert into restwell.mail (kind, address, created_at, expires_at, attempts)
       values ('password_reset', $1, now(), 'infinity', 1) returning id`,
      [person.email],
    )
    const id = rows[0]?.id ?? ""
    await client.query(
      `update restwell.job set claim = gen_random_uuid(), due_at = 'infinity', alive_at = now() - interval '16 seconds'
       where kind = 'mail' and key = $1`,
      [id],
    )
    await client.query("commit")
    return id
  } finally {
    client.release()
  }
}

test("an email that a silent process may still send waits for minutes, and is not sent again if it was sent meanwhile", {
  timeout: 2 * WAIT_MS,
}, async () => {
  const [lena, mia] = [new Member(service), new Member(service)]
  await Promise.all([lena.signUp(), mia.signUp()])
  const ids = [await silentMail(lena), await silentMail(mia)]
  const job = async (id: string | undefined) =>
    (
      await service.store.pool.query(
        "select claim, due_at > now() + interval '2 minutes' as waits from restwell.job where kind = 'mail' and key = $1",
        [id],
      )
    ).rows
  for (const id of ids) await expect.poll(() => job(id)).toEqual([{ claim: null, waits: true }])
  // The silent process has sent one of them after all.
  await service.store.pool.query("update restwell.mail set sent_at = now() where id = $1", [ids[1]])
  await tryAgainNow()
  await mail.mailTo(lena.email)
  for (const id of ids) await expect.poll(() => job(id)).toEqual([])
  const sentTo = ({ email }: Member) => mail.mails.filter(({ recipients }) => recipients.includes(email)).length
  expect([sentTo(lena), sentTo(mia)]).toEqual([1, 0])
})

async function connected() {
  const person = service.simulator.people.addOne()
  const { member } = await Member.connected(service, person)
  return { member, person }
}

/** The vendor ends the grant, and the next sync finds out. */
async function losesItsGrant({ member, person }: Awaited<ReturnType<typeof connected>>): Promise<void> {
  service.simulator.tokens.revokeAll(person)
  expect((await member.send("POST", "/api/connections/whoop/sync")).status).toBe(202)
  await expect
    .poll(async () => AccountResponseSchema.parse(await (await member.send("GET", "/api/account")).json()).connections)
    .toMatchObject([{ status: "reauthorization_required" }])
}

test("a connection that has to be renewed gives one email, which can be turned off", {
  timeout: 2 * WAIT_MS,
}, async () => {
  const [lena, mia] = [await connected(), await connected()]
  const account = AccountResponseSchema.parse(await (await lena.member.send("GET", "/api/account")).json())
  expect(account.notices).toEqual({ can_send: true, reconnect: true })
  expect((await mia.member.send("PUT", "/api/account/notices", { reconnect: false })).status).toBe(200)
  await Promise.all([losesItsGrant(lena), losesItsGrant(mia)])
  const received = await mail.mailTo(lena.member.email)
  expect(received.headers).toContain("Subject: WHOOP needs to be reconnected")
  expect(received.text).toContain(`${service.url}/connections`)
  const { rows } = await service.store.pool.query("select user_id from restwell.mail where kind = 'reconnect'")
  expect(rows).toEqual([{ user_id: await readUserId(lena.member) }])
})

test("a notice about a connection that works again is not sent", { timeout: WAIT_MS }, async () => {
  const { member: lena } = await connected()
  await service.store.pool.query(
    "insert into restwell.mail (kind, user_id, provider, created_at, expires_at) values ('reconnect', $1, 'whoop', now(), 'infinity')",
    [await readUserId(lena)],
  )
  await expect.poll(async () => (await readMail()).waiting).toBe(0)
  expect(mail.mails.filter(({ recipients }) => recipients.includes(lena.email))).toEqual([])
})

test("deleting the account deletes its emails", async () => {
  const lena = new Member(service)
  await lena.signUp()
  const userId = await readUserId(lena)
  mail.isFailing = true
  await lena.send("POST", "/api/auth/forgot-password", { email: lena.email })
  const find = () => service.store.pool.query("select kind from restwell.mail where user_id = $1", [userId])
  await expect.poll(async () => (await find()).rows).toEqual([{ kind: "password_reset" }])
  const exported = await (await lena.send("GET", "/api/account/export")).json()
  expect(exported.mails).toMatchObject([{ kind: "password_reset", sent_at: null }])
  expect((await lena.send("DELETE", "/api/account")).status).toBe(204)
  expect((await find()).rows).toEqual([])
})
