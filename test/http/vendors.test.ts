import { AccountResponseSchema } from "@restwell/client"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 3 })
  member = new Member(service)
  await member.signUp()
})
afterAll(() => service.close())

const vendorsAt = async (at: Pick<TestService, "url">) =>
  AccountResponseSchema.parse(await (await member.at(at).send("GET", "/api/account")).json()).vendors

test("the account lists every vendor with what it delivers and what the operator enters for it", async () => {
  const whoop = (await vendorsAt(service)).find(({ provider }) => provider === "whoop")
  expect(whoop).toEqual({
    provider: "whoop",
    display_name: "WHOOP",
    is_set_up: true,
    delivers: ["sleep", "recovery", "spo2", "temperature", "workout", "cycle", "strain", "profile"],
    setup: {
      apps_page: "developer.whoop.com",
      settings: ["WHOOP_CLIENT_ID", "WHOOP_CLIENT_SECRET"],
      redirect_url: `${service.url}/api/connections/whoop/callback`,
      webhook_url: `${service.url}/api/webhooks/whoop`,
    },
  })
})

test("a vendor whose webhooks the service subscribes to has no address to register", async () => {
  const oura = (await vendorsAt(service)).find(({ provider }) => provider === "oura")
  expect(oura?.setup.webhook_url).toBeNull()
  expect(oura?.delivers).toEqual([
    "sleep",
    "sleep_phases",
    "recovery",
    "spo2",
    "temperature",
    "workout",
    "cycle",
    "steps",
    "profile",
  ])
})

test("a vendor without credentials is listed as not set up", async () => {
  const replica = await service.startReplica("all", { WHOOP_CLIENT_ID: "", WHOOP_CLIENT_SECRET: "" })
  const whoop = (await vendorsAt(replica)).find(({ provider }) => provider === "whoop")
  expect(whoop?.is_set_up).toBe(false)
})
