import { afterEach, beforeEach, expect, test } from "vitest"
import type { TestAccounts } from "./test-accounts.ts"
import { newEmail, openTestAccounts, PASSWORD, posting, signIn, signUp } from "./test-accounts.ts"

let world: TestAccounts
beforeEach(async () => {
  world = await openTestAccounts()
})
afterEach(() => world.close())

test("accepts an email address once, in any spelling", async () => {
  const { accounts, store } = world
  await signUp(accounts, "ada@example.com")
  for (const email of ["ada@example.com", "ADA@Example.COM", "  ada@example.com "])
    await expect(signUp(accounts, email)).rejects.toMatchObject({ code: "conflict" })
  await signIn(accounts, " Ada@EXAMPLE.com")
  const { rows } = await store.pool.query(`select name, email from restwell."user"`)
  expect(rows).toEqual([{ name: "Ada", email: "ada@example.com" }])
})

test("ignores fields that a body does not have: id, confirmed address, picture", async () => {
  const { accounts, store } = world
  const body = { name: "Ada", email: newEmail(), password: PASSWORD, id: "mine", emailVerified: true, image: "x" }
  await accounts.signUp(posting(body))
  const { rows } = await store.pool.query(`select id = 'mine' as chosen, "emailVerified", image from restwell."user"`)
  expect(rows).toEqual([{ chosen: false, emailVerified: false, image: null }])
})
