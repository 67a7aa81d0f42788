import { AuthenticatorApp, Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 3 })
})
afterAll(() => service.close())

const BegunSchema = z.object({ uri: z.string() })
const CodesSchema = z.object({ recovery_codes: z.array(z.string()).length(10) })

/** Every response is compared with the description at /openapi.json. */
async function post(member: Member, path: string, body: object): Promise<[number, unknown]> {
  const response = await member.send("POST", `/api/auth/${path}`, body)
  return [response.status, await response.json()]
}

test("codes are turned on, asked for, replaced by recovery codes and turned off", async () => {
  const member = new Member(service)
  await member.signUp()
  const { email, password } = member
  const [, begun] = await post(member, "two-factor", { password })
  const app = new AuthenticatorApp(BegunSchema.parse(begun).uri, () => Date.now())
  const [, confirmed] = await post(member, "two-factor/confirm", { code: app.code() })
  const [first = "", second = ""] = CodesSchema.parse(confirmed).recovery_codes
  const account = await (await member.send("GET", "/api/account")).json()
  expect(account.sign_in).toEqual({ password: true, two_factor: true, passkeys: 0, providers: [] })

  const elsewhere = new Member(service)
  expect(await post(elsewhere, "sign-in/email", { email, password })).toEqual([200, { code_required: true }])
  expect((await elsewhere.send("GET", "/api/account")).status).toBe(401)
  expect(await post(elsewhere, "sign-in/code", { code: "000000" })).toMatchObject([401, { message: "incorrect code" }])
  expect(await post(elsewhere, "sign-in/code", { code: app.code(1) })).toMatchObject([200, { user: { email } }])
  expect((await elsewhere.send("GET", "/api/account")).status).toBe(200)
  expect((await post(elsewhere, "sign-in/code", { code: first }))[0]).toBe(403)

  const [, renewed] = await post(elsewhere, "two-factor/recovery-codes", { password, code: first })
  const third = CodesSchema.parse(renewed).recovery_codes[0] ?? ""
  expect((await post(elsewhere, "two-factor/turn-off", { password, code: second }))[0]).toBe(401)
  expect(await post(elsewhere, "two-factor/turn-off", { password, code: third })).toEqual([200, { success: true }])
  expect((await post(new Member(service), "sign-in/email", { email, password }))[1]).toMatchObject({ user: { email } })
})

test("a password change in a session with codes leaves them on", async () => {
  const member = new Member(service)
  await member.signUp()
  const { email, password } = member
  const [, begun] = await post(member, "two-factor", { password })
  const app = new AuthenticatorApp(BegunSchema.parse(begun).uri, () => Date.now())
  await post(member, "two-factor/confirm", { code: app.code() })
  const newPassword = "a new and longer password"
  expect((await post(member, "change-password", { currentPassword: password, newPassword }))[0]).toBe(200)
  const elsewhere = new Member(service)
  expect((await post(elsewhere, "sign-in/email", { email, password: newPassword }))[1]).toEqual({ code_required: true })
  expect((await post(elsewhere, "sign-in/code", { code: app.code(1) }))[0]).toBe(200)
})

test("an account without a password has no codes", async () => {
  const member = new Member(service)
  await member.signUp()
  await service.store.pool.query(
    `update restwell.account set "providerId" = 'google' where "userId" = (select id from restwell."user" where email = $1)`,
    [member.email],
  )
  const refused = await post(member, "two-factor", { password: member.password })
  expect(refused).toMatchObject([403, { message: expect.stringMatching(/set a password first/) }])
})
