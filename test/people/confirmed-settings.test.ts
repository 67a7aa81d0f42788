/* A stolen session of the owner sends no links, figures or messages elsewhere: an hour after the sign-in, such a setting is confirmed. */
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type MailServer, startMailServer } from "./mail-server.ts"

const HOUR_MS = 3_600_000

let mail: MailServer
let service: TestService
let owner: Member
beforeAll(async () => {
  mail = await startMailServer()
  service = await startTestService({ days: 1 })
  owner = new Member(service)
  await owner.setUp()
})
afterAll(async () => {
  await service.close()
  await mail.close()
})

/** The answer to each setting that says where something goes. */
async function answersTo(confirmation: object): Promise<readonly unknown[]> {
  const port = Number(new URL(mail.url).port)
  const settings = {
    mail: { host: "127.0.0.1", port, from: "home@restwell.example" },
    "home-assistant": { mqtt_url: "mqtt://127.0.0.1:1" },
    "private-hosts": { hosts: ["192.168.1.20"] },
    address: { address: service.url },
  }
  const answers: unknown[] = []
  for (const [path, setting] of Object.entries(settings)) {
    const answer = await owner.send("PUT", `/api/service/${path}`, { ...setting, ...confirmation })
    answers.push(answer.status === 200 ? 200 : [answer.status, (await answer.json()).message])
  }
  return answers
}

const remove = async () => [
  (await owner.send("PUT", "/api/service/private-hosts", { hosts: [] })).status,
  (await owner.send("PUT", "/api/service/home-assistant", { mqtt_url: null })).status,
  (await owner.send("DELETE", "/api/service/mail")).status,
]

test("a sign-in within the last hour confirms a setting, later the password does, and what is removed needs neither", async () => {
  expect(await answersTo({})).toEqual([200, 200, 200, 200])
  service.simulator.clock.advance(2 * HOUR_MS)
  expect(await remove()).toEqual([200, 200, 204])
  const before = mail.mails.length
  const unconfirmed = [403, "confirm with your password, or with a passkey that you have"]
  expect(await answersTo({})).toEqual(Array(4).fill(unconfirmed))
  const wrong = { confirm: { password: "a guess that is wrong" } }
  expect(await answersTo(wrong)).toEqual(Array(4).fill([403, "incorrect current password"]))
  expect(mail.mails.length).toBe(before)
  expect(await answersTo({ confirm: { password: owner.password } })).toEqual([200, 200, 200, 200])
})
