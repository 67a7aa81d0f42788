import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http"
import { text } from "node:stream/consumers"
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { readUserId } from "../http/read-logs.ts"
import { type MailServer, startMailServer } from "../people/mail-server.ts"

const PATH = "/api/account/notifications"
const WAIT_MS = 240_000

/** What a topic of ntfy got. */
const published: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
const topic = createServer(async (request, response) => {
  published.push({ headers: request.headers, body: await text(request) })
  response.end("{}")
})

let mail: MailServer
let service: TestService
beforeAll(async () => {
  topic.listen(0, "127.0.0.1")
  await once(topic, "listening")
  mail = await startMailServer()
  service = await startTestService({
    now: new Date("2026-11-20T15:00:00Z"),
    isStill: true,
    days: 60,
    environment: { SMTP_URL: mail.url, MAIL_FROM: "home@restwell.example", ALLOWED_PRIVATE_HOSTS: "127.0.0.1" },
  })
})
afterAll(async () => {
  await service.close()
  await mail.close()
  topic.close()
})

async function sentTo(member: Member) {
  const { rows } = await service.store.pool.query<{ subject: string; date: string; at: Date }>(
    "select subject, date::text, sent_at as at from restwell.notice where user_id = $1 order by sent_at, subject",
    [await readUserId(member)],
  )
  return rows
}

const sync = (member: Member) => member.send("POST", "/api/connections/whoop/sync")

test("a first sync sends one summary, and each new night one briefing by email", { timeout: WAIT_MS }, async () => {
  const member = new Member(service)
  await member.signUp()
  const { port } = z.object({ port: z.number() }).parse(topic.address())
  const set = {
    briefing: { enabled: true, earliest: "00:00", channels: ["email", "ntfy"] },
    ntfy: { url: `http://127.0.0.1:${port}/topic`, token: "tk_1" },
  }
  expect((await member.send("PUT", PATH, set)).status).toBe(200)
  service.simulator.clock.advance(MINUTE_MS)
  const person = service.simulator.people.add({ email: "ada@vendor.example" })
  await member.connect(person)
  await member.untilHistoryIsComplete()
  const summary = await mail.mailTo(member.email)
  expect(summary.headers).toContain("Subject: Your history from WHOOP is here")
  expect(summary.text).toMatch(/\d+ nights from WHOOP, from September \d+, 2026 to November 20, 2026\./)
  // Late enough that the night is scored, and early enough that it is news.
  service.simulator.clock.advance(20 * HOUR_MS)
  await sync(member)
  const briefing = await mail.mailTo(member.email, 2)
  expect(briefing.headers).toContain("Subject: Your night to Saturday, November 21")
  expect(briefing.text).toMatch(/Recovery \d+ %, (?:within|above|below) your usual/)
  expect(briefing.text).toMatch(/You slept \d+ h \d\d min/)
  expect(briefing.text).toMatch(/Heart rate variability: [\d.]+ ms, usual [\d.]+\u2013\u2060?[\d.]+/)
  expect(briefing.text).toMatch(/Tonight: in bed by \d\d:\d\d for \d h \d\d min of sleep before \d\d:\d\d\./)
  expect(briefing.text).toContain(`${service.url.replace("127.0.0.1", "localhost")}/?date=2026-11-21`)
  expect(briefing.html).toContain("Open Restwell")
  await expect
    .poll(() => published.map(({ headers }) => headers["title"]))
    .toEqual(["Your history from WHOOP is here", "Your night to Saturday, November 21"])
  expect(published[1]?.headers).toMatchObject({
    authorization: "Bearer tk_1",
    click: expect.stringContaining("/?date=2026-11-21"),
  })
  expect(published[1]?.body).toMatch(/^Recovery \d+ %/)
  service.simulator.clock.advance(HOUR_MS)
  await sync(member)
  service.simulator.clock.advance(DAY_MS - HOUR_MS)
  await sync(member)
  await expect
    .poll(async () => (await sentTo(member)).map(({ subject, date }) => `${subject} ${date}`))
    .toEqual(["history:whoop 2026-11-20", "briefing 2026-11-21", "briefing 2026-11-22"])
})
