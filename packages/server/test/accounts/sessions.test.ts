import { Forbidden } from "@restwell/core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { TestAccounts } from "./test-accounts.ts"
import { cookiesOf, newEmail, openTestAccounts, PASSWORD, posting, sessionOf, signIn, signUp } from "./test-accounts.ts"

let world: TestAccounts
beforeAll(async () => {
  world = await openTestAccounts()
})
afterAll(() => world.close())

describe("a session", () => {
  test("begins with the sign-up, on every replica", async () => {
    const { accounts, replica } = world
    const { email, cookie } = await signUp(accounts)
    const session = await sessionOf(accounts, cookie)
    expect(session).toMatchObject({ user: { name: "Ada", email }, userId: session?.user.id })
    expect(await sessionOf(replica, cookie)).toEqual(session)
  })

  test("is in a cookie that no script reads and no other site sends", async () => {
    const { headers } = await world.accounts.signUp(posting({ name: "Ada", email: newEmail(), password: PASSWORD }))
    const [cookie = ""] = headers.getSetCookie()
    const [pair = "", ...attributes] = cookie.split("; ")
    expect(pair).toMatch(/^restwell\.session_token=/)
    expect(attributes.sort()).toEqual(["HttpOnly", "Max-Age=604800", "Path=/", "SameSite=Lax"])
  })

  test("is sent over https only if the service uses https", async () => {
    const secure = await openTestAccounts({ baseUrl: "https://restwell.example" })
    const { headers } = await secure.accounts.signUp(posting({ name: "Ada", email: newEmail(), password: PASSWORD }))
    const [pair = "", ...attributes] = (headers.getSetCookie()[0] ?? "").split("; ")
    expect(pair).toMatch(/^__Secure-restwell\.session_token=/)
    expect(attributes.sort()).toEqual(["HttpOnly", "Max-Age=604800", "Path=/", "SameSite=Lax", "Secure"])
    await secure.close()
  })

  test("ends with the sign-out on every replica, and other sessions do not", async () => {
    const { accounts, replica } = world
    const { email, cookie } = await signUp(accounts)
    const elsewhere = cookiesOf(await signIn(replica, email))
    const { headers } = await accounts.signOut(posting({}, { cookie }))
    expect(headers.getSetCookie()[0]).toMatch(/^restwell\.session_token=;.*Max-Age=0/)
    expect(await sessionOf(accounts, cookie)).toBeUndefined()
    expect(await sessionOf(replica, cookie)).toBeUndefined()
    expect(await sessionOf(accounts, elsewhere)).toBeDefined()
  })

  test("ends when it expires and when the account is deleted", async () => {
    const { accounts, store } = world
    const { email, cookie } = await signUp(accounts)
    const other = cookiesOf(await signIn(accounts, email))
    const { sessionId } = (await sessionOf(accounts, cookie)) ?? {}
    await store.pool.query(`update restwell.session set "expiresAt" = now() - interval '1 second' where id = $1`, [
      sessionId,
    ])
    expect(await sessionOf(accounts, cookie)).toBeUndefined()
    expect(await sessionOf(accounts, other)).toBeDefined()
    await store.pool.query(`delete from restwell."user" where email = $1`, [email])
    expect(await sessionOf(accounts, other)).toBeUndefined()
  })

  test("that has expired is deleted at its person's next sign-in", async () => {
    const { accounts, store } = world
    const [ada, eve] = [await signUp(accounts), await signUp(accounts)]
    const ids = [await sessionOf(accounts, ada.cookie), await sessionOf(accounts, eve.cookie)].map(
      (session) => session?.sessionId,
    )
    await store.pool.query(`update restwell.session set "expiresAt" = now() - interval '1 hour' where id = any($1)`, [
      ids,
    ])
    await signIn(accounts, ada.email)
    const { rows } = await store.pool.query("select id from restwell.session where id = any($1)", [ids])
    expect(rows).toEqual([{ id: ids[1] }])
  })

  test("is a new one at every sign-in, whatever cookie the browser sends", async () => {
    const { accounts } = world
    const [ada, eve] = [await signUp(accounts), await signUp(accounts)]
    const planted = posting({ email: ada.email, password: PASSWORD }, { cookie: eve.cookie })
    const own = cookiesOf(await accounts.signIn(planted))
    expect(own).not.toBe(eve.cookie)
    expect((await sessionOf(accounts, own))?.user.email).toBe(ada.email)
    expect((await sessionOf(accounts, eve.cookie))?.user.email).toBe(eve.email)
  })
})

describe("a forged session", () => {
  test.each([
    ["none", ""],
    ["of another service", "better-auth.session_token=abc.def"],
    ["without a signature", "restwell.session_token=abc"],
    ["signed by somebody else", "restwell.session_token=abc.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3D"],
    ["that is no escape", "restwell.session_token=%E0%A4%A"],
    ["that is a NUL", "restwell.session_token=%00.%00"],
    ["of megabytes", `restwell.session_token=${"a".repeat(2_000_000)}`],
  ])("does not come from a cookie %s", async (_kind, cookie) => {
    expect(await sessionOf(world.accounts, cookie)).toBeUndefined()
  })

  test("does not come from its token without the signature", async () => {
    const { accounts, store } = world
    const { email } = await signUp(accounts)
    const { rows } = await store.pool.query(
      `select token from restwell.session join restwell."user" u on u.id = "userId" where email = $1`,
      [email],
    )
    expect(await sessionOf(accounts, `restwell.session_token=${rows[0].token}`)).toBeUndefined()
  })
})

describe("the password", () => {
  test("confirms who asks for a change", async () => {
    const { accounts } = world
    const session = await sessionOf(accounts, (await signUp(accounts)).cookie)
    if (!session) throw new Error("not signed in")
    const confirm = (password: string) =>
      accounts.confirmIdentity({ session, headers: new Headers(), address: "192.0.2.2", body: { password } })
    await confirm(PASSWORD)
    await expect(confirm(`${PASSWORD} `)).rejects.toThrow("incorrect current password")
    await expect(confirm("")).rejects.toThrow("incorrect current password")
  })

  test("ends all other sessions when it changes", async () => {
    const { accounts } = world
    const { email, cookie } = await signUp(accounts)
    const elsewhere = cookiesOf(await signIn(accounts, email))
    const change = { currentPassword: PASSWORD, newPassword: "a new and longer password" }
    const renewed = cookiesOf(await accounts.changePassword(posting(change, { cookie })))
    expect(await sessionOf(accounts, cookie)).toBeUndefined()
    expect(await sessionOf(accounts, elsewhere)).toBeUndefined()
    expect((await sessionOf(accounts, renewed))?.user.email).toBe(email)
    await expect(signIn(accounts, email)).rejects.toMatchObject({ code: "unauthorized" })
    await signIn(accounts, email, change.newPassword)
  })

  test("changes only for a person who knows it", async () => {
    const { accounts } = world
    const { email, cookie } = await signUp(accounts)
    const change = { currentPassword: "not the password", newPassword: "a new and longer password" }
    await expect(accounts.changePassword(posting(change, { cookie }))).rejects.toThrow(Forbidden)
    await expect(accounts.changePassword(posting(change))).rejects.toMatchObject({ code: "unauthorized" })
    await signIn(accounts, email)
  })
})
