import { AccountResponseSchema } from "@restwell/client"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 3 })
  member = new Member(service)
  await member.setUp()
})
afterAll(() => service.close())

const vendorsAt = async (at: Pick<TestService, "url">) =>
  AccountResponseSchema.parse(await (await member.at(at).send("GET", "/api/account")).json()).vendors

test("the account lists every vendor with what it delivers and what the operator enters for it", async () => {
  const whoop = (await vendorsAt(service)).find(({ provider }) => provider === "whoop")
  expect(whoop).toEqual({
    provider: "whoop",
    display_name: "WHOOP",
    code_seconds: null,
    grant_note: null,
    is_set_up: true,
    delivers: ["sleep", "recovery", "spo2", "temperature", "workout", "cycle", "strain", "profile"],
    key: null,
    setup: {
      apps_page: "developer-dashboard.whoop.com",
      former_apps_page: null,
      steps: [
        "Sign in with your WHOOP account.",
        "Create a team with any name, and in it an app. Ten people can use it without a review by WHOOP.",
      ],
      scopes: [
        "offline",
        "read:cycles",
        "read:sleep",
        "read:recovery",
        "read:workout",
        "read:profile",
        "read:body_measurement",
      ],
      webhook_note: "Choose the model version v2.",
      settings: ["WHOOP_CLIENT_ID", "WHOOP_CLIENT_SECRET"],
      redirect_url: `${service.url}/api/connections/whoop/callback`,
      webhook_url: `${service.url}/api/webhooks/whoop`,
    },
  })
})

test("a vendor whose webhooks the service subscribes to has no address to register", async () => {
  const oura = (await vendorsAt(service)).find(({ provider }) => provider === "oura")
  expect(oura?.setup?.webhook_url).toBeNull()
  expect(oura?.delivers).toEqual([
    "sleep",
    "sleep_phases",
    "recovery",
    "spo2",
    "temperature",
    "workout",
    "cycle",
    "steps",
    "heart_rate",
    "profile",
  ])
})

test("credentials with line breaks are refused, with the field and what to do, and nothing is stored", async () => {
  const credentials = { client_id: "id", client_secret: "secret" }
  for (const field of ["client_id", "client_secret"] as const)
    for (const text of ["one\ntwo", "one\r\nLocation: x", "one\u2028two", "one\u200btwo"]) {
      const body = { ...credentials, [field]: text }
      const refused = await member.send("PUT", "/api/service/vendors/oura", body)
      expect(refused.status, JSON.stringify(text)).toBe(400)
      expect(await refused.json()).toMatchObject({ field, message: expect.stringContaining("must be one line") })
    }
  const { rows } = await service.store.pool.query("select from restwell.service_setting where name like 'OURA%'")
  expect(rows).toEqual([])
})

test("a vendor without credentials is listed as not set up", async () => {
  const replica = await service.startReplica("all", { WHOOP_CLIENT_ID: "", WHOOP_CLIENT_SECRET: "" })
  const whoop = (await vendorsAt(replica)).find(({ provider }) => provider === "whoop")
  expect(whoop?.is_set_up).toBe(false)
})

test("the account says how to get each archive, and a source without a connection cannot be connected", async () => {
  const { archives } = AccountResponseSchema.parse(await (await member.send("GET", "/api/account")).json())
  expect(archives.map(({ provider }) => provider)).toEqual([
    "whoop",
    "oura",
    "google_health",
    "garmin",
    "apple_health",
    "health_connect",
    "gadgetbridge",
    "sleep_as_android",
  ])
  expect(archives.every(({ steps, delivers }) => steps.length > 0 && delivers.includes("sleep"))).toBe(true)
  for (const path of ["authorize", "callback?state=a&code=b"]) {
    const refused = await member.send("GET", `/api/connections/garmin/${path}`)
    expect([refused.status, await refused.json()]).toEqual([
      404,
      expect.objectContaining({
        error: "not_found",
        message: "Garmin has no connection, upload its archive on the page Connections",
      }),
    ])
  }
})
