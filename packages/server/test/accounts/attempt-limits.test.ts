import { TooManyAttempts } from "@restwell/core"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { TestAccounts } from "./test-accounts.ts"
import {
  newEmail,
  openTestAccounts,
  outcomesOf,
  PASSWORD,
  posting,
  sessionOf,
  signIn,
  signUp,
} from "./test-accounts.ts"

const PER_ACCOUNT = 10
const PER_ADDRESS = 100
const WRONG = "a wrong password"

let world: TestAccounts
beforeEach(async () => {
  world = await openTestAccounts()
})
afterEach(() => world.close())

const count = (outcomes: readonly string[], pattern: RegExp) => outcomes.filter((text) => pattern.test(text)).length

describe("attempts at one account", () => {
  test.each(["known", "unknown"])(
    "allows ten attempts at a %s account in five minutes, over all replicas",
    async (kind) => {
      const { accounts, replica } = world
      const email = kind === "known" ? (await signUp(accounts)).email : newEmail()
      const spellings = [email, email.toUpperCase(), ` ${email} `]
      const tries = Array.from({ length: 32 }, (_, index) =>
        signIn(index % 2 ? accounts : replica, spellings[index % 3] ?? email, WRONG, `192.0.2.${index}`),
      )
      const outcomes = await outcomesOf(tries)
      expect(count(outcomes, /^Unauthorized: incorrect email or password$/)).toBe(PER_ACCOUNT)
      expect(count(outcomes, /^TooManyAttempts: .* for this account, try again in 300 seconds$/)).toBe(32 - PER_ACCOUNT)
    },
  )

  test("refuses the right password too until the window ends", async () => {
    const { accounts, advance } = world
    const { email } = await signUp(accounts)
    await outcomesOf(Array.from({ length: PER_ACCOUNT }, () => signIn(accounts, email, WRONG)))
    advance(299_000)
    const refusal = await signIn(accounts, email).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(TooManyAttempts)
    expect(refusal).toMatchObject({ retryAfterSeconds: 1 })
    advance(1_000)
    await signIn(accounts, email)
  })

  test("counts each account by itself, and resets the count at a success", async () => {
    const { accounts } = world
    const [{ email }, other] = [await signUp(accounts), await signUp(accounts)]
    for (let round = 0; round < 2; round++) {
      await outcomesOf(Array.from({ length: PER_ACCOUNT - 1 }, () => signIn(accounts, email, WRONG)))
      await signIn(accounts, email)
    }
    await outcomesOf(Array.from({ length: PER_ACCOUNT }, () => signIn(accounts, email, WRONG)))
    await expect(signIn(accounts, email)).rejects.toThrow(TooManyAttempts)
    await signIn(accounts, other.email)
  })

  test("counts password checks and password changes together with sign-ins", async () => {
    const { accounts } = world
    const { email, cookie } = await signUp(accounts)
    const session = await sessionOf(accounts, cookie)
    if (!session) throw new Error("not signed in")
    const change = { currentPassword: WRONG, newPassword: "a new and longer password" }
    const outcomes = await outcomesOf([
      ...Array.from({ length: 4 }, () => accounts.verifyPassword(session, WRONG, "192.0.2.1")),
      ...Array.from({ length: 4 }, () => accounts.changePassword(posting(change, { cookie }))),
      ...Array.from({ length: 4 }, () => signIn(accounts, email, WRONG)),
    ])
    expect(count(outcomes, /^TooManyAttempts/)).toBe(2)
    await expect(accounts.verifyPassword(session, PASSWORD, "192.0.2.1")).rejects.toThrow(TooManyAttempts)
  })
})

describe("attempts from one address", () => {
  const guess = (address: string, times: number) => {
    const email = newEmail()
    return outcomesOf(
      Array.from({ length: times }, (_, index) =>
        signIn(index % 2 ? world.accounts : world.replica, email, WRONG, address),
      ),
    )
  }

  test("allows a hundred sign-ins in five minutes, over all accounts and replicas", async () => {
    const outcomes = await guess("198.51.100.7", PER_ADDRESS + 12)
    expect(count(outcomes, /from this address, try again in 300 seconds$/)).toBe(12)
    const { email } = await signUp(world.accounts)
    await expect(signIn(world.accounts, email, PASSWORD, "198.51.100.7")).rejects.toThrow(TooManyAttempts)
    await signIn(world.accounts, email, PASSWORD, "198.51.100.8")
    world.advance(300_000)
    await signIn(world.accounts, email, PASSWORD, "198.51.100.7")
  })

  test("allows a hundred sign-ups in an hour", async () => {
    const { accounts, replica } = world
    const { email } = await signUp(accounts, newEmail())
    const body = { name: "Eve", email, password: PASSWORD }
    const tries = Array.from({ length: PER_ADDRESS + 8 }, (_, index) =>
      (index % 2 ? accounts : replica).signUp(posting(body, {}, "198.51.100.7")),
    )
    const outcomes = await outcomesOf(tries)
    expect(count(outcomes, /^Conflict/)).toBe(PER_ADDRESS)
    expect(count(outcomes, /^TooManyAttempts: .* from this address, try again in 3600 seconds$/)).toBe(8)
  })

  test("counts all addresses of an IPv6 network as one", async () => {
    await guess("2001:db8::1", PER_ADDRESS)
    expect(count(await guess("2001:db8::a:b:c:d", 1), /from this address/)).toBe(1)
    expect(count(await guess("2001:db8:0:1::1", 1), /^Unauthorized/)).toBe(1)
  })
})

test("stores attempts unreadably, and deletes them when their window is over", async () => {
  const { accounts, store, advance } = world
  const rows = async () => (await store.pool.query("select a::text from restwell.attempt a")).rows
  const email = newEmail()
  await outcomesOf([signIn(accounts, email, WRONG, "198.51.100.7")])
  const kept = JSON.stringify(await rows())
  expect(kept).not.toContain(email)
  expect(kept).not.toContain(Buffer.from(email).toString("hex"))
  expect(kept).not.toContain(Buffer.from("198.51.100.7").toString("hex"))
  advance(3_601_000)
  await outcomesOf([signIn(accounts, newEmail(), WRONG, "198.51.100.9")])
  expect(await rows()).toHaveLength(2)
})
