/* Hosts of the home network: the owner allows them on the page Service, at once, and nobody else does. */
import { ServiceResponseSchema } from "@restwell/client"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { makeWebhook, WEBHOOKS } from "./own-webhooks.ts"
import { answerWith, Receiver } from "./receiver.ts"

const PATH = "/api/service/private-hosts"

let service: TestService
let owner: Member
beforeAll(async () => {
  service = await startTestService({ days: 1 })
  owner = new Member(service)
  await owner.setUp()
})
afterAll(() => service.close())

const allowed = async () =>
  ServiceResponseSchema.parse(await (await owner.send("GET", "/api/service")).json()).private_hosts

test("a receiver at home is refused by name, allowed in one step, and refused again once the owner takes it back", async () => {
  await using receiver = await Receiver.start()
  receiver.answer = answerWith(204)
  const member = new Member(service)
  await member.signUp()
  const refused = await member.send("POST", WEBHOOKS, { url: receiver.url })
  expect([refused.status, await refused.json()]).toEqual([
    400,
    {
      error: "invalid_request",
      field: "url",
      message: "url: 127.0.0.1 is this computer. Allow it on the page Service.",
    },
  ])
  const set = await owner.send("PUT", PATH, { hosts: [`127.0.0.1:${receiver.port}`, "HomeAssistant.local:8123"] })
  const hosts = [`127.0.0.1:${receiver.port}`, "homeassistant.local:8123"]
  expect([set.status, await set.json()]).toEqual([200, { hosts }])
  expect(await allowed()).toEqual({ value: hosts, source: "page" })
  const { id } = await makeWebhook(member, receiver.url)
  expect((await member.send("POST", `${WEBHOOKS}/${id}/test`)).status).toBe(200)
  expect(await (await owner.send("PUT", PATH, { hosts: "" })).json()).toEqual({ hosts: [] })
  expect(await allowed()).toEqual({ value: [], source: null })
  const later = await member.send("POST", `${WEBHOOKS}/${id}/test`)
  expect([later.status, (await later.json()).message]).toEqual([
    502,
    `nothing was sent to 127.0.0.1:${receiver.port}: 127.0.0.1 is this computer. Allow it on the page Service.`,
  ])
  expect(receiver.received.length).toBe(1)
})

test("hosts are separated by commas too, and a mistake is said", async () => {
  const set = await owner.send("PUT", PATH, { hosts: "192.168.1.20, nas.lan:8080,[fd00::5]:80" })
  expect(await set.json()).toEqual({ hosts: ["192.168.1.20", "nas.lan:8080", "[fd00::5]:80"] })
  for (const hosts of ["http://nas.lan", "nas.lan/hook", "nas lan:port", "ada@nas.lan", "192.168.1.20:99999", ["*"]])
    expect([hosts, (await owner.send("PUT", PATH, { hosts })).status]).toEqual([hosts, 400])
})

test.each([
  ["fd00:0:0::1", "[fd00::1]", "http://[fd00:0:0::1]:8123/"],
  ["[FD00:0:0::1]:80", "[fd00::1]:80", "http://[fd00::1]/"],
  ["::ffff:192.168.1.20", "192.168.1.20", "http://192.168.1.20:8123/"],
  ["192.168.1.21:08123", "192.168.1.21:8123", "http://[::ffff:192.168.1.21]:8123/"],
  ["home_assistant:8123", "home_assistant:8123", "http://home_assistant:8123/"],
])("%s is stored as %s, and allows %s", async (entry, stored, url) => {
  const answer = async () => (await owner.send("POST", WEBHOOKS, { url })).text()
  await owner.send("PUT", PATH, { hosts: [] })
  expect(await answer()).toContain("Allow it")
  expect(await (await owner.send("PUT", PATH, { hosts: [entry] })).json()).toEqual({ hosts: [stored] })
  expect(await answer()).not.toContain("Allow it")
})

test("only the owner allows hosts, and the environment takes precedence", async () => {
  const member = new Member(service)
  await member.signUp()
  expect((await member.send("PUT", PATH, { hosts: ["127.0.0.1"] })).status).toBe(403)
  const replica = await service.startReplica("all", { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" })
  expect((await owner.at(replica).send("PUT", PATH, { hosts: [] })).status).toBe(409)
  await replica.close()
})
