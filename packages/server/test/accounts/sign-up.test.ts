import { afterEach, beforeEach, expect, test } from "vitest"
import type { TestAccounts } from "./test-accounts.ts"
import { newEmail, openTestAccounts, outcomesOf, PASSWORD, posting, signIn, signUp } from "./test-accounts.ts"

let world: TestAccounts
const open = async (signUp: "open" | "closed") => {
  world = await openTestAccounts({ signUp })
  return world
}
beforeEach(({ task }) => open(task.name.startsWith("closed") ? "closed" : "open"))
afterEach(() => world.close())

const people = async () => Number((await world.store.pool.query(`select count(*) from restwell."user"`)).rows[0].count)

test("an address is taken once, however it is written", async () => {
  const { accounts } = world
  await signUp(accounts, "ada@example.com")
  for (const email of ["ada@example.com", "ADA@Example.COM", "  ada@example.com "])
    await expect(signUp(accounts, email)).rejects.toMatchObject({ code: "conflict" })
  await signIn(accounts, " Ada@EXAMPLE.com")
  expect(await people()).toBe(1)
})

test("eight who sign up with one address at the same moment make one account, and the others are told", async () => {
  const { accounts, replica } = world
  const email = newEmail()
  const tries = Array.from({ length: 8 }, (_, index) => signUp(index % 2 ? accounts : replica, email))
  const outcomes = (await outcomesOf(tries)).sort()
  expect(outcomes).toEqual([
    ...Array(7).fill("Conflict: there is an account with this e-mail address, sign in instead"),
    "ok",
  ])
  expect(await people()).toBe(1)
  await signIn(accounts, email)
})

test("a sign-up that breaks half way leaves nothing, and can be made again", async () => {
  const { accounts, store } = world
  await store.pool.query(`
    create function restwell.break() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
    create trigger break before insert on restwell.account for each row execute function restwell.break()`)
  const email = newEmail()
  await expect(signUp(accounts, email)).rejects.toThrow()
  expect(await people()).toBe(0)
  await store.pool.query("drop trigger break on restwell.account")
  await signUp(accounts, email)
  await signIn(accounts, email)
})

test("closed: the first person of an installation signs up, and nobody after", async () => {
  const { accounts, replica } = world
  await signUp(accounts)
  await expect(signUp(replica)).rejects.toMatchObject({ code: "forbidden", message: expect.stringMatching(/closed/) })
  expect(await people()).toBe(1)
})

test("closed: of eight who would be the first at the same moment one is", async () => {
  const { accounts, replica } = world
  const outcomes = await outcomesOf(
    Array.from({ length: 8 }, (_, index) => signUp(index % 2 ? accounts : replica, newEmail())),
  )
  expect(outcomes.filter((outcome) => outcome === "ok")).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome.startsWith("Forbidden: sign-up is closed here"))).toHaveLength(7)
  expect(await people()).toBe(1)
})

test("nobody learns from a sign-up what a body may not say: a confirmed address, a picture, a session for a day", async () => {
  const { accounts, store } = world
  const body = { name: "Ada", email: newEmail(), password: PASSWORD, emailVerified: true, image: "x", id: "mine" }
  await accounts.signUp(posting(body))
  const { rows } = await store.pool.query(`select id, "emailVerified", image from restwell."user"`)
  expect(rows).toEqual([{ id: expect.not.stringMatching(/^mine$/), emailVerified: false, image: null }])
})
