import { createHmac } from "node:crypto"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openTestAccounts, posting, SECRET, sessionOf, signUp, type TestAccounts } from "./test-accounts.ts"

const NEW = "another derived secret that is long enough to sign with"
const STRANGE = "a secret of somebody who signs cookies of their own making"

let world: TestAccounts
beforeAll(async () => {
  world = await openTestAccounts()
})
afterAll(() => world.close())

test("accepts sessions of a former secret as long as that is configured", async () => {
  const { cookie, email } = await signUp(world.accounts)
  const other = `theme=dark; ${cookie}; broken=%E0%A4%A.x; a.b=c.d`
  for (const header of [cookie, other])
    expect(await sessionOf(world.under(NEW, STRANGE, SECRET), header)).toMatchObject({ user: { email } })
  expect(await sessionOf(world.under(NEW), cookie)).toBeUndefined()
})

test("accepts cookies of the next secret in a process that still signs with the old one", async () => {
  const { cookie, email } = await signUp(world.under(NEW, SECRET))
  expect(await sessionOf(world.under(SECRET, NEW), cookie)).toMatchObject({ user: { email } })
  expect(await sessionOf(world.accounts, cookie)).toBeUndefined()
})

test("signs the cookie with the current secret at the next renewal", async () => {
  const { cookie } = await signUp(world.accounts)
  await world.store.pool.query(`update restwell.session set "expiresAt" = "expiresAt" - interval '25 hours'`)
  const renewal = (await sessionOf(world.under(NEW, SECRET), cookie))?.renewal ?? []
  expect(await sessionOf(world.under(NEW), renewal[0]?.split(";")[0] ?? "")).toBeDefined()
})

test("ends a session of the former secret at sign-out", async () => {
  const { cookie } = await signUp(world.accounts)
  await world.under(NEW, SECRET).signOut(posting({}, { cookie }))
  expect(await sessionOf(world.accounts, cookie)).toBeUndefined()
})

test("ignores cookies that no configured secret signed", async () => {
  const { cookie } = await signUp(world.accounts)
  const [name = "", value = ""] = cookie.split("=")
  const [token = ""] = decodeURIComponent(value).split(".")
  const signed = (secret: string) => createHmac("sha256", secret).update(token).digest("base64")
  const now = world.under(NEW, SECRET)
  expect(await sessionOf(now, `${name}=${encodeURIComponent(`${token}.${signed(SECRET)}`)}`)).toBeDefined()
  for (const forged of [`${token}.${signed(STRANGE)}`, `${token}x.${signed(SECRET)}`, `${token}.`, token, "."])
    expect(await sessionOf(now, `${name}=${encodeURIComponent(forged)}`), forged).toBeUndefined()
})
