// The owner sets the broker and Home Assistant up on the page Service: tried before it is saved, used at once, and without a secret in answers.
import { type HomeAssistantState, HomeAssistantStateSchema, ServiceResponseSchema } from "@restwell/client"
import { startHomeAssistant, type TestHomeAssistant } from "@restwell/testing/home-assistant"
import { Member } from "@restwell/testing/member"
import { startBroker, type TestBroker } from "@restwell/testing/mqtt-broker"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const PATH = "/api/service/home-assistant"
const LONG = { timeout: 30_000, interval: 50 }
const PASSWORD = "a secret of MQTT"

let broker: TestBroker
let home: TestHomeAssistant
let service: TestService
let owner: Member
let mqttUrl: string
beforeAll(async () => {
  broker = await startBroker({ password: { user: "restwell", password: PASSWORD } })
  home = await startHomeAssistant()
  service = await startTestService({ days: 40, now: new Date("2026-11-20T11:30:00Z") })
  owner = new Member(service)
  await owner.setUp()
  await owner.connect(service.simulator.people.add({ email: "ada@vendor.example" }))
  await owner.untilHistoryIsComplete()
  mqttUrl = `mqtt://restwell:${encodeURIComponent(PASSWORD)}@127.0.0.1:${broker.port}`
})
afterAll(async () => {
  await service.close()
  await home.close()
  await broker.close()
})

const asked = async (method: string, path: string, body?: object): Promise<[number, unknown]> => {
  const response = await owner.send(method, path, body)
  return [response.status, await response.json()]
}
const tried = async (body: object): Promise<unknown> => (await asked("POST", `${PATH}/test`, body))[1]
const state = async (): Promise<HomeAssistantState> =>
  ServiceResponseSchema.parse(await (await owner.send("GET", "/api/service")).json()).home_assistant

test("it is tried before it is saved: what works, and in words what does not", async () => {
  expect(await asked("POST", `${PATH}/test`, {})).toEqual([
    409,
    { error: "conflict", message: "nothing is set up: enter the address of the broker first" },
  ])
  const works = { home_assistant_url: home.url, home_assistant_token: home.token }
  expect(await tried({ mqtt_url: mqttUrl, ...works })).toEqual({
    broker: { problem: null },
    history: { problem: null },
  })
  expect(await tried({ mqtt_url: `mqtt://restwell:wrong@127.0.0.1:${broker.port}` })).toEqual({
    broker: { problem: "the broker was reached, and it refuses the user name or the password" },
    history: null,
  })
  expect(await tried({ ...works, home_assistant_token: "another" })).toMatchObject({
    broker: null,
    history: { problem: expect.stringContaining("Home Assistant refuses the token") },
  })
  expect(await tried({ mqtt_url: "mqtt://127.0.0.1:1" })).toMatchObject({
    broker: { problem: "the broker cannot be reached: nothing answers on this port" },
  })
  expect(await state()).toMatchObject({ broker: { source: null }, history: { source: null } })
  expect(broker.messages).toEqual([])
  expect(home.imports()).toBe(0)
})

test.each([
  [{ mqtt_url: "http://192.168.1.20" }, "mqtt_url", /^mqtt_url must be like mqtt:/],
  [{ mqtt_url: "mqtt://me:50%off@192.168.1.20" }, "mqtt_url", /^mqtt_url must have a % .* written as %25$/],
  [{ home_assistant_url: "http://192.168.1.20:8123" }, "home_assistant_token", /is missing/],
  [{ home_assistant_token: "token" }, "home_assistant_url", /is missing/],
  [
    { home_assistant_url: "192.168.1.20/x", home_assistant_token: "t" },
    "home_assistant_url",
    /must be an http or https/,
  ],
])("refuses %j in plain words", async (body, field, message) => {
  for (const [method, path] of [
    ["PUT", PATH],
    ["POST", `${PATH}/test`],
  ] as const)
    expect(await asked(method, path, body)).toEqual([
      400,
      { error: "invalid_request", field, message: expect.stringMatching(message) },
    ])
})

test("what is saved is used at once, kept sealed, tried again, and removed", async () => {
  const body = { mqtt_url: mqttUrl, home_assistant_url: `${home.url}`, home_assistant_token: home.token }
  const [status, saved] = await asked("PUT", PATH, body)
  expect([status, HomeAssistantStateSchema.parse(saved)]).toEqual([
    200,
    {
      broker: { source: "page", server: `127.0.0.1:${broker.port}` },
      history: { source: "page", server: new URL(home.url).host },
      people: 0,
      failures: [],
    },
  ])
  expect(await asked("GET", "/api/account")).toMatchObject([200, { has_home_assistant: true }])
  await owner.send("PUT", "/api/account/notifications", { home_assistant: true })
  await expect.poll(() => [...broker.retained.keys()].some((topic) => topic.endsWith("/state")), LONG).toBe(true)
  await expect.poll(() => home.statistics.size, LONG).toBeGreaterThan(0)
  expect(await tried({})).toEqual({ broker: { problem: null }, history: { problem: null } })
  expect((await state()).people).toBe(1)
  // Another broker keeps Home Assistant as it is, and another Home Assistant needs a token of its own.
  expect((await asked("PUT", PATH, { mqtt_url: mqttUrl }))[0]).toBe(200)
  expect((await asked("PUT", PATH, { home_assistant_url: "http://elsewhere.example:8123" }))[0]).toBe(400)
  expect((await asked("PUT", PATH, { home_assistant_url: home.url }))[0]).toBe(200)
  expect(await tried({})).toEqual({ broker: { problem: null }, history: { problem: null } })
  const { rows } = await service.store.pool.query("select row_to_json(s)::text as text from restwell.service_setting s")
  for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), home.token]) {
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(service.log.join("\n")).not.toContain(secret)
    expect(JSON.stringify([saved, await state()])).not.toContain(secret)
  }
  await broker.kill()
  await expect.poll(async () => (await state()).failures, LONG).toMatchObject([{ link: "broker" }])
  await broker.start()
  await expect.poll(async () => (await state()).failures, LONG).toEqual([])
  await asked("PUT", PATH, { mqtt_url: null, home_assistant_url: null })
  expect(await state()).toMatchObject({
    broker: { source: null, server: null },
    history: { source: null, server: null },
  })
  await expect.poll(() => broker.clients(), LONG).toBe(0)
})

test("the environment takes precedence, and nobody but the owner sets or tries anything", async () => {
  const replica = await service.startReplica("api", { MQTT_URL: mqttUrl })
  const there = owner.at(replica)
  expect((await there.send("PUT", PATH, { mqtt_url: "mqtt://192.168.1.20" })).status).toBe(409)
  const saved = await there.send("PUT", PATH, { home_assistant_url: home.url, home_assistant_token: home.token })
  expect([saved.status, await saved.json()]).toMatchObject([200, { broker: { source: "environment" } }])
  expect(await (await there.send("POST", `${PATH}/test`, {})).json()).toEqual({
    broker: { problem: null },
    history: { problem: null },
  })
  await replica.close()
  const stranger = new Member(service)
  await stranger.signUp()
  expect((await stranger.send("PUT", PATH, { mqtt_url: null })).status).toBe(403)
  expect((await stranger.send("POST", `${PATH}/test`, { mqtt_url: mqttUrl })).status).toBe(403)
})
