import { AccountResponseSchema } from "@restwell/client"
import { useBrowser } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { type MailServer, startMailServer } from "../people/mail-server.ts"
import {
  addPasskey,
  countPasskeys,
  credential,
  memberWithDevice,
  send,
  signIn,
  signInResponse,
  takeErrors,
} from "./passkey-device.ts"

let mail: MailServer
let service: TestService
const browser = useBrowser()
beforeAll(async () => {
  mail = await startMailServer()
  service = await startTestService({ days: 3, environment: { SMTP_URL: mail.url, MAIL_FROM: "home@restwell.example" } })
})
afterAll(async () => {
  await service.close()
  await mail.close()
})
afterEach(() => expect(takeErrors(service)).toEqual([]))

const member = () => memberWithDevice(browser, service)

describe("a session alone", () => {
  test("neither adds nor deletes a passkey: the password or a passkey has to confirm it", async () => {
    const { person, page, context } = await member()
    const { password } = person
    const begin = (body: object) => send(page, "POST", "/api/auth/passkeys/options", body)
    expect(await begin({})).toMatchObject({ status: 403, body: { message: expect.stringContaining("password") } })
    const wrong = { status: 403, body: { message: "incorrect current password" } }
    expect(await begin({ password: "not the password" })).toMatchObject(wrong)
    const { body: added } = await addPasskey(page, person)
    const path = `/api/auth/passkeys/${added["id"]}`
    expect((await send(page, "DELETE", path)).status).toBe(403)
    expect(await send(page, "DELETE", path, { password: "not the password" })).toMatchObject(wrong)
    expect(await countPasskeys(page)).toBe(1)
    const countSessions = () => service.store.pool.query("select from restwell.session")
    const { rowCount } = await countSessions()
    expect((await begin({ passkey: await signInResponse(page) })).status).toBe(200)
    // A passkey that confirms leaves no session behind.
    expect((await countSessions()).rowCount).toBe(rowCount)
    expect((await send(page, "DELETE", path, { password })).status).toBe(204)
    await context.close()
  })

  test("is not confirmed by another person's passkey, or by a used one", async () => {
    const ada = await member()
    const bo = await member()
    await addPasskey(ada.page, ada.person)
    await addPasskey(bo.page, bo.person)
    const begin = (page: Page, passkey: object) => send(page, "POST", "/api/auth/passkeys/options", { passkey })
    const passkey = await signInResponse(ada.page)
    const challenge = (await ada.context.cookies()).filter(({ name }) => name.includes("passkey"))
    await bo.context.addCookies(challenge)
    expect((await begin(bo.page, passkey)).status).toBe(403)
    const own = await signInResponse(ada.page)
    expect((await begin(ada.page, own)).status).toBe(200)
    expect((await begin(ada.page, own)).status).toBe(403)
    await ada.context.close()
    await bo.context.close()
  })

  test("adds the first passkey of an account without a password only within an hour of the sign-in", async () => {
    const { person, page, context } = await member()
    await service.store.pool.query(
      `update restwell.account set "providerId" = 'google', password = null
        where "userId" = (select id from restwell."user" where email = $1)`,
      [person.email],
    )
    const begin = () => send(page, "POST", "/api/auth/passkeys/options", {})
    expect((await begin()).status).toBe(200)
    service.skewClock(2 * 3_600_000)
    expect((await begin()).status).toBe(403)
    service.skewClock(0)
    await context.close()
  })
})

test("an account has at most 20 passkeys, also when several are added at once", async () => {
  const { person, page, context } = await member()
  await service.store.pool.query(
    `insert into restwell.passkey (id, "publicKey", "userId", "credentialID", counter, "deviceType", "backedUp")
      select u.id || n, '', u.id, md5(u.id || n), 0, 'singleDevice', false
      from restwell."user" u, generate_series(1, 17) n where email = $1`,
    [person.email],
  )
  const prepare = async () => {
    const { body } = await send(page, "POST", "/api/auth/passkeys/options", { password: person.password })
    const response = await credential(page, "create", body)
    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ")
    return { response, cookie }
  }
  const prepared: Awaited<ReturnType<typeof prepare>>[] = []
  for (let count = 0; count < 8; count += 1) prepared.push(await prepare())
  const answers = await Promise.all(
    prepared.map(({ response, cookie }) =>
      fetch(`${service.url}/api/auth/passkeys`, {
        method: "POST",
        headers: { "content-type": "application/json", cookie },
        body: JSON.stringify({ name: "one of many", response }),
      }),
    ),
  )
  const added = answers.filter(({ status }) => status === 201).length
  expect(added).toBeLessThanOrEqual(3)
  expect(new Set(answers.map(({ status }) => status)).difference(new Set([201, 409]))).toEqual(new Set())
  expect(await countPasskeys(page)).toBe(17 + added)
  for (let count = 17 + added; count < 20; count += 1) {
    const { response } = await prepare()
    expect((await send(page, "POST", "/api/auth/passkeys", { name: "one more", response })).status).toBe(201)
  }
  expect((await send(page, "POST", "/api/auth/passkeys/options", { password: person.password })).status).toBe(409)
  await context.close()
})

test("a passkey names its account, and is refused with the name of another one", async () => {
  const { person, page, context } = await member()
  await addPasskey(page, person)
  const { userId: other } = await newPerson()
  const response = Object(await signInResponse(page))
  const userHandle = Buffer.from(other).toString("base64url")
  const renamed = { ...response, response: { ...response.response, userHandle } }
  expect((await send(page, "POST", "/api/auth/sign-in/passkey", { response: renamed })).status).toBe(401)
  expect((await signIn(page)).status).toBe(200)
  await context.close()
})

async function newPerson() {
  const person = new Member(service)
  await person.signUp()
  const { user } = AccountResponseSchema.parse(await (await person.send("GET", "/api/account")).json())
  return { person, userId: user.id }
}

test("a password change ends the passkeys too if the person wants it", async () => {
  const { person, page, context } = await member()
  await addPasskey(page, person)
  const change = (currentPassword: string, newPassword: string, more: object = {}) =>
    send(page, "POST", "/api/auth/change-password", { currentPassword, newPassword, ...more })
  expect((await change(person.password, "staple battery horse")).status).toBe(200)
  expect(await countPasskeys(page)).toBe(1)
  expect((await change("staple battery horse", "horse staple battery", { deletePasskeys: true })).status).toBe(200)
  expect(await countPasskeys(page)).toBe(0)
  expect((await signIn(page)).status).toBe(401)
  await context.close()
})

test("the person gets an email when a passkey is added or deleted", async () => {
  const { person, page, context } = await member()
  await person.send("PUT", "/api/account/preferences", { time_zone: "Europe/Berlin", clock: "24h", units: "metric" })
  const { body } = await addPasskey(page, person, "Buy at https://evil.example")
  const added = await mail.mailTo(person.email)
  expect(added.headers).toContain("Subject: A passkey was added to your Restwell account")
  expect(added.text).toContain(`${service.url}/account`)
  // The person's clock and place, and a month that no locale reads as a day.
  expect(added.text).toMatch(/On \d{1,2} [A-Z][a-z]+ \d{4} at \d\d:\d\d CES?T a passkey was added/)
  expect(added.text).not.toContain("evil.example")
  await send(page, "DELETE", `/api/auth/passkeys/${body["id"]}`, { password: person.password })
  const deleted = await mail.mailTo(person.email, 2)
  expect(deleted.headers).toContain("Subject: A passkey was deleted from your Restwell account")
  await context.close()
})
