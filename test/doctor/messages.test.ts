/* The doctor says which messages to people do not arrive, without naming a person or an address that is a secret. */
import { Member } from "@restwell/testing/member"
import { expect, onTestFinished, test } from "vitest"
import { startMailServer } from "../people/mail-server.ts"
import { examine, expectFault, faultsOf, service, sql, useInstallation } from "./installation.ts"

useInstallation()

const RECEIVERS = `insert into restwell.receiver (user_id, kind, url, events, created_at, failing_since, failures, disabled_at, disabled_reason)
  select user_id, kind, url, array['sleep.scored'], now(), failing::timestamptz, 1, disabled::timestamptz, reason
  from restwell.person cross join (values `

/** Adds a receiver to each person, until the test ends. */
async function addReceiver(values: string): Promise<void> {
  onTestFinished(async () => void (await sql("delete from restwell.receiver")))
  await sql(`${RECEIVERS} ${values}) as r (kind, url, failing, disabled, reason)`)
}

test("all receivers that work are counted, and a failure that has only begun is none", async () => {
  await addReceiver("('webhook', 'https://hooks.example/secret-path', (now() - interval '1 minute')::text, null, null)")
  expect(faultsOf(await examine())).toEqual([])
  await addReceiver("('ntfy', 'https://ntfy.example/topic', null, null, null)")
  expect(JSON.stringify(await examine())).toContain("1 receiver of messages, and none fails")
})

test("a webhook that fails, with its last answer", async () => {
  await addReceiver("('webhook', 'https://hooks.example/secret-path', (now() - interval '2 hours')::text, null, null)")
  await expectFault(
    /^messages: messages to 1 webhook at hooks\.example do not arrive, since .* UTC: no answer: repair the receiver/,
  )
  await sql(`insert into restwell.delivery (user_id, receiver_id, type, data, created_at, attempts, last_attempt_at, answer_status, answer)
    select user_id, id, 'sleep.scored', '{}', now(), 1, now(), 500, 'upstream is down' from restwell.receiver`)
  await expectFault(/do not arrive, since .* UTC: status 500: upstream is down: repair the receiver/)
  expect(JSON.stringify(await examine())).not.toContain("secret-path")
})

test("messages that were given up beside others that arrived, for a week", async () => {
  await addReceiver("('webhook', 'https://hooks.example/secret-path', null, null, null)")
  const messages = (age: string) =>
    sql(`insert into restwell.delivery (user_id, receiver_id, type, data, created_at, status, attempts, last_attempt_at, answer_status, answer)
      select user_id, id, 'sleep.scored', '{}', now() - interval '${age}', 'failed', 10, now() - interval '${age}', 422, 'no such sport'
      from restwell.receiver, generate_series(1, 2)`)
  await messages("8 days")
  expect(faultsOf(await examine())).toEqual([])
  await messages("1 day")
  await expectFault(
    /^messages: 2 messages to 1 webhook at hooks\.example did not arrive and will not be tried again, the last one at .* UTC: status 422: no such sport: repair/,
  )
})

test("a webhook and a topic of ntfy that were given up", async () => {
  const since = "(now() - interval '4 days')::text"
  await addReceiver(
    `('webhook', 'http://10.0.0.5:8000/a', ${since}, ${since}, 'it answered 410, which says that it is gone')`,
  )
  await expectFault(
    /^messages: nothing is sent to 1 webhook at 10\.0\.0\.5:8000 any more, since .*: it answered 410, .*: repair the receiver, and send a test/,
  )
  await addReceiver(`('ntfy', 'https://ntfy.example/topic', ${since}, ${since}, 'nothing arrived for three days')`)
  expect(faultsOf(await examine())).toEqual([
    expect.stringMatching(/1 topic of ntfy at ntfy\.example any more/),
    expect.stringMatching(/1 webhook at/),
  ])
})

test("channels that people chose and that lead nowhere, and emails that are not taken", async () => {
  const member = new Member(service)
  await member.signUp()
  const put = (briefing: object) => member.send("PUT", "/api/account/notifications", { briefing })
  onTestFinished(async () => void (await put({ enabled: false, channels: [] })))
  await put({ enabled: true, channels: ["email"] })
  await expectFault(/^messages: 1 person chose email for messages, and no mail server is set: set a mail server up/)
  await put({ enabled: true, channels: ["push"] })
  await expectFault(/^messages: 1 person chose browsers for messages, and none has them turned on: let these people/)
  await put({ enabled: true, channels: ["webhook"] })
  await expectFault(/^messages: 1 person chose webhooks for messages, and there are none: let these people make one/)
  await put({ enabled: false, channels: ["email"] })
  expect(faultsOf(await examine())).toEqual([])
  const mailServer = await startMailServer()
  onTestFinished(() => mailServer.close())
  const mail = { SMTP_URL: mailServer.url, MAIL_FROM: "restwell@example.com" }
  await put({ enabled: true, channels: ["email"] })
  expect(faultsOf(await examine(mail))).toEqual([])
  await sql(`insert into restwell.mail (kind, user_id, created_at, expires_at, error)
    select 'passkey_added', user_id, now(), now() + interval '1 day', '451 try later' from restwell.person limit 1`)
  onTestFinished(async () => void (await sql("delete from restwell.mail")))
  await expectFault(/^messages: the mail server has not taken 1 email: read why on the page Service, Email/, mail)
})
