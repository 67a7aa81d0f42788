/* Browsers with notifications: who may turn them on and off, and what ends them. */
import { PushSubscriptionResponseSchema, PushSubscriptionsResponseSchema } from "@restwell/client"
import { AuthenticatorApp, Member } from "@restwell/testing/member"
import { PushService } from "@restwell/testing/push-service"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const PATH = "/api/account/push-subscriptions"

let service: TestService
let pushService: PushService
beforeAll(async () => {
  service = await startTestService({ days: 1 })
  pushService = await PushService.start()
})
afterAll(async () => {
  await pushService[Symbol.asyncDispose]()
  await service.close()
})

async function signedUp(): Promise<Member> {
  const member = new Member(service)
  await member.signUp()
  return member
}

/** The same person in another browser. */
async function signedInAgain({ email, password }: Member): Promise<Member> {
  const member = new Member(service, {}, email)
  expect((await member.send("POST", "/api/auth/sign-in/email", { email, password })).status).toBe(200)
  return member
}

async function turnOn(member: Member, subscription = pushService.subscribe()): Promise<string> {
  const response = await member.send("POST", PATH, subscription)
  expect([response.status, await response.clone().text()]).toEqual([201, expect.any(String)])
  return PushSubscriptionResponseSchema.parse(await response.json()).id
}

const listed = async (member: Member) =>
  PushSubscriptionsResponseSchema.parse(await (await member.send("GET", PATH)).json()).subscriptions

const idsOf = async (member: Member): Promise<string[]> => (await listed(member)).map(({ id }) => id)

test("a browser is listed by its name until its person ends it, and nobody else sees or ends it", async () => {
  const [ada, eve] = [await signedUp(), await signedUp()]
  const id = await turnOn(ada)
  expect(await listed(ada)).toEqual([
    {
      id,
      name: "A browser",
      created_at: expect.any(String),
      last_sent_at: null,
      is_this_session: true,
      fault: null,
    },
  ])
  expect(await listed(eve)).toEqual([])
  expect((await eve.send("DELETE", `${PATH}/${id}`)).status).toBe(404)
  expect(await idsOf(ada)).toEqual([id])
  expect((await ada.send("DELETE", `${PATH}/${id}`)).status).toBe(204)
  expect(await listed(ada)).toEqual([])
})

test("a browser that says the same again stays one, and the twenty-first is refused", async () => {
  const ada = await signedUp()
  const subscription = pushService.subscribe()
  expect(await turnOn(ada, subscription)).toBe(await turnOn(ada, subscription))
  for (let count = 1; count < 20; count += 1) await turnOn(ada)
  expect((await ada.send("POST", PATH, pushService.subscribe())).status).toBe(409)
  expect(await turnOn(ada, subscription)).toEqual(expect.any(String))
  expect(await listed(ada)).toHaveLength(20)
})

test("what no browser would send is refused, with the field", async () => {
  const ada = await signedUp()
  const subscription = pushService.subscribe()
  // As long as a key, and begun like one. 2^256 - 1 is larger than any coordinate of the curve.
  const noPoint = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 0xff)]).toString("base64url")
  for (const [body, field] of [
    [{ ...subscription, keys: { ...subscription.keys, p256dh: noPoint } }, "keys.p256dh"],
    [{ ...subscription, endpoint: "ftp://push.example/x" }, "endpoint"],
    [{ ...subscription, keys: { ...subscription.keys, auth: "short" } }, "keys.auth"],
    [{ endpoint: subscription.endpoint }, "keys"],
  ] as const) {
    const response = await ada.send("POST", PATH, body)
    expect([response.status, (await response.json()).field]).toEqual([400, field])
  }
})

test("signing out ends this browser's notifications, and a new password those of the other browsers", async () => {
  const ada = await signedUp()
  const first = await turnOn(ada)
  const phone = await signedInAgain(ada)
  const second = await turnOn(phone)
  const laptop = await signedInAgain(ada)
  const third = await turnOn(laptop)
  await phone.send("POST", "/api/auth/sign-out")
  expect(await idsOf(ada)).toEqual([first, third])
  expect(second).not.toBe(first)
  const change = {
    currentPassword: ada.password,
    newPassword: "another horse battery staple",
    revokeOtherSessions: true,
  }
  expect((await ada.send("POST", "/api/auth/change-password", change)).status).toBe(200)
  expect(await idsOf(ada)).toEqual([first])
})

/** Signs the other browsers out. */
async function changePassword(member: Member, currentPassword: string): Promise<string> {
  const newPassword = `${currentPassword} again`
  const body = { currentPassword, newPassword, revokeOtherSessions: true }
  expect((await member.send("POST", "/api/auth/change-password", body)).status).toBe(200)
  return newPassword
}

test("a second new password that signs out the others leaves this browser on, and signing out turns it off", async () => {
  const ada = await signedUp()
  const id = await turnOn(ada)
  const second = await changePassword(ada, ada.password)
  await changePassword(ada, second)
  expect(await idsOf(ada)).toEqual([id])
  expect(await listed(ada)).toMatchObject([{ is_this_session: true }])
  await ada.send("POST", "/api/auth/sign-out")
  const { rows } = await service.store.pool.query("select from restwell.receiver where id::text = $1", [id])
  expect(rows).toEqual([])
})

test("codes that are turned on and off leave this browser with its session", async () => {
  const ada = await signedUp()
  const { password } = ada
  await turnOn(ada)
  const post = async (path: string, body: object) => {
    const response = await ada.send("POST", `/api/auth/two-factor${path}`, body)
    expect(response.status).toBe(200)
    return response.json()
  }
  const app = new AuthenticatorApp((await post("", { password })).uri, () => Date.now())
  const { recovery_codes: codes } = await post("/confirm", { code: app.code() })
  expect(await listed(ada)).toMatchObject([{ is_this_session: true }])
  await post("/turn-off", { password, code: codes[0] })
  expect(await listed(ada)).toMatchObject([{ is_this_session: true }])
})
