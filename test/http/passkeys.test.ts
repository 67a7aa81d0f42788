import { SecurityLogResponseSchema } from "@restwell/client"
import { useBrowser, visit } from "@restwell/testing/browser"
import { AuthenticatorApp, Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { addPasskey, credential, memberWithDevice, send, signIn, signInResponse, takeErrors } from "./passkey-device.ts"

let service: TestService
const browser = useBrowser()
beforeAll(async () => {
  service = await startTestService({ days: 3 })
})
afterAll(() => service.close())
afterEach(() => expect(takeErrors(service)).toEqual([]))

const member = () => memberWithDevice(browser, service)

test("neither a stranger's guesses nor sign-in codes stop a sign-in with a passkey", async () => {
  const { person, page, context } = await member()
  await addPasskey(page, person)
  const begun = await (await person.send("POST", "/api/auth/two-factor", { password: person.password })).json()
  const app = new AuthenticatorApp(z.object({ uri: z.string() }).parse(begun).uri, () => Date.now())
  await person.send("POST", "/api/auth/two-factor/confirm", { code: app.code() })
  await context.clearCookies()
  const wrong = { email: person.email, password: "wrong password" }
  const guess = () => new Member(service).send("POST", "/api/auth/sign-in/email", wrong)
  for (let attempt = 0; attempt < 12; attempt += 1) await guess()
  expect((await guess()).status).toBe(429)
  expect((await signIn(page)).status).toBe(200)
  // The browser is known now.
  expect((await context.cookies()).map(({ name }) => name.replace(/_[0-9a-f]{12}$/, ""))).toContain(
    "restwell.known_browser",
  )
  const right = await send(page, "POST", "/api/auth/sign-in/email", { email: person.email, password: person.password })
  expect(right).toEqual({ status: 200, body: { code_required: true } })
})

test("a passkey can be added, listed, used to sign in without a password, and deleted", async () => {
  const { person, page, context } = await member()
  const added = await addPasskey(page, person, "Ada's laptop")
  expect(added).toMatchObject({ status: 201, body: { name: "Ada's laptop" } })
  expect((await send(page, "GET", "/api/auth/passkeys")).body).toEqual({ passkeys: [added.body] })
  expect((await send(page, "GET", "/api/account")).body["sign_in"]).toMatchObject({ passkeys: 1 })
  await context.clearCookies()
  expect(await signIn(page)).toMatchObject({ status: 200, body: { user: { email: person.email } } })
  expect((await send(page, "GET", "/api/account")).status).toBe(200)
  const { password } = person
  expect((await send(page, "DELETE", `/api/auth/passkeys/${added.body["id"]}`, { password })).status).toBe(204)
  const { entries } = SecurityLogResponseSchema.parse((await send(page, "GET", "/api/account/security-log")).body)
  expect(entries.map(({ type, detail }) => [type, detail]).slice(0, 3)).toEqual([
    ["passkey_removed", "Ada's laptop"],
    ["signed_in", "passkey"],
    ["passkey_added", "Ada's laptop"],
  ])
  for (const { network } of entries) expect(network).not.toBeNull()
  await context.clearCookies()
  expect((await signIn(page)).status).toBe(401)
  await context.close()
})

describe("passkeys refuse", () => {
  test("a used signature", async () => {
    const { person, page, context } = await member()
    await addPasskey(page, person)
    await context.clearCookies()
    const response = await signInResponse(page)
    const cookies = await context.cookies()
    expect((await send(page, "POST", "/api/auth/sign-in/passkey", { response })).status).toBe(200)
    await context.clearCookies()
    await context.addCookies(cookies)
    expect((await send(page, "POST", "/api/auth/sign-in/passkey", { response })).status).toBe(401)
    await context.close()
  })

  test("a signature for a challenge of another browser", async () => {
    const { person, page, context } = await member()
    await addPasskey(page, person)
    const response = await signInResponse(page)
    const other = await visit(browser, service)
    await other.open("/sign-in")
    await send(other.page, "POST", "/api/auth/sign-in/passkey/options")
    expect((await send(other.page, "POST", "/api/auth/sign-in/passkey", { response })).status).toBe(401)
    await other.close()
    await context.close()
  })

  test("a signature for another site", async () => {
    const { person, page, context } = await member()
    await addPasskey(page, person)
    const response = await signInResponse(page)
    const { response: signed } = Object(response)
    const clientData = JSON.parse(Buffer.from(signed.clientDataJSON, "base64url").toString())
    const foreign = { ...clientData, origin: "https://evil.example" }
    const clientDataJSON = Buffer.from(JSON.stringify(foreign)).toString("base64url")
    const forged = { ...response, response: { ...signed, clientDataJSON } }
    expect((await send(page, "POST", "/api/auth/sign-in/passkey", { response: forged })).status).toBe(401)
    await context.close()
  })

  test("a device that has not verified its user", async () => {
    const { person, page, context, authenticator } = await member()
    await addPasskey(page, person)
    const { body } = await send(page, "POST", "/api/auth/sign-in/passkey/options")
    await authenticator.session.send("WebAuthn.setUserVerified", {
      authenticatorId: authenticator.id,
      isUserVerified: false,
    })
    const response = await credential(page, "get", { ...body, userVerification: "discouraged" })
    expect((await send(page, "POST", "/api/auth/sign-in/passkey", { response })).status).toBe(401)
    await context.close()
  })

  test("a cloned device, whose counter is lower", async () => {
    const { person, page, context } = await member()
    await addPasskey(page, person)
    await service.store.pool.query("update restwell.passkey set counter = 1000")
    expect((await signIn(page)).status).toBe(401)
    await context.close()
  })

  test("malformed credentials", async () => {
    const { person, page, context } = await member()
    await send(page, "POST", "/api/auth/passkeys/options", { password: person.password })
    const garbage = {
      id: "AA",
      rawId: "AA",
      type: "public-key",
      response: { clientDataJSON: "AA", attestationObject: "AA" },
    }
    expect((await send(page, "POST", "/api/auth/passkeys", { name: "x", response: garbage })).status).toBe(400)
    expect((await send(page, "POST", "/api/auth/passkeys", { name: "x", response: 7 })).status).toBe(400)
    const unknown = {
      ...garbage,
      response: { clientDataJSON: "AA", authenticatorData: "AA", signature: "AA", userHandle: "AA" },
    }
    expect((await send(page, "POST", "/api/auth/sign-in/passkey", { response: unknown })).status).toBe(401)
    await context.close()
  })

  test("to list or delete another person's passkey", async () => {
    const ada = await member()
    const bo = await member()
    const { body } = await addPasskey(ada.page, ada.person)
    expect((await send(bo.page, "GET", "/api/auth/passkeys")).body).toEqual({ passkeys: [] })
    const { password } = bo.person
    expect((await send(bo.page, "DELETE", `/api/auth/passkeys/${body["id"]}`, { password })).status).toBe(404)
    expect((await send(ada.page, "GET", "/api/auth/passkeys")).body).toEqual({ passkeys: [body] })
    await ada.context.close()
    await bo.context.close()
  })
})

test("the only way to sign in cannot be deleted", async () => {
  const { person, page, context } = await member()
  const { body } = await addPasskey(page, person)
  await service.store.pool.query(
    `delete from restwell.account where "userId" = (select id from restwell."user" where email = $1)`,
    [person.email],
  )
  const path = `/api/auth/passkeys/${body["id"]}`
  expect((await send(page, "DELETE", path, { passkey: await signInResponse(page) })).status).toBe(409)
  const newPassword = "correct horse battery"
  expect((await send(page, "POST", "/api/auth/set-password", { newPassword })).status).toBe(403)
  const passkey = await signInResponse(page)
  expect((await send(page, "POST", "/api/auth/set-password", { newPassword, passkey })).status).toBe(200)
  expect((await send(page, "DELETE", path, { password: newPassword })).status).toBe(204)
  await context.close()
})
