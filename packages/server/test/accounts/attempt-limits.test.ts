import { TooManyAttempts, Unauthorized } from "@restwell/core"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { TestAccounts } from "./test-accounts.ts"
import {
  cookiesOf,
  newEmail,
  openTestAccounts,
  outcomesOf,
  PASSWORD,
  posting,
  SECRET,
  sessionOf,
  signIn,
  signUp,
} from "./test-accounts.ts"

const FREE = 5
const FROM_EVERYWHERE = 30
const HOUR_SECONDS = 3600
const STRANGER = "203.0.113.7"
const PER_ADDRESS = 100
const WRONG = "a wrong password"

let world: TestAccounts
beforeEach(async () => {
  world = await openTestAccounts()
})
afterEach(() => world.close())

const knownSignIn = (email: string, cookie: string) =>
  world.accounts.signIn(posting({ email, password: PASSWORD }, { cookie }))

const count = (outcomes: readonly string[], pattern: RegExp) => outcomes.filter((text) => pattern.test(text)).length

/** Guesses as fast as the service allows. Returns the number of passwords that it compared. */
async function guessForAnHour(email: string, address: () => string): Promise<number> {
  let compared = 0
  for (let elapsedSeconds = 0; elapsedSeconds < HOUR_SECONDS; ) {
    const error: unknown = await signIn(world.accounts, email, WRONG, address()).catch((cause: unknown) => cause)
    if (error instanceof Unauthorized) {
      compared += 1
      continue
    }
    // After the test's time limit the database is closed. The loop then ends with its error.
    if (!(error instanceof TooManyAttempts)) throw error
    elapsedSeconds += error.retryAfterSeconds
    world.advance(error.retryAfterSeconds * 1000)
  }
  return compared
}

/** A stranger's 200 guesses, at once. */
const attack = (email: string, address: (index: number) => string) =>
  outcomesOf(Array.from({ length: 200 }, (_, index) => signIn(world.accounts, email, WRONG, address(index))))

/** Uses up the tries of all unknown browsers. */
const exhaust = (email: string) =>
  outcomesOf(
    Array.from({ length: FROM_EVERYWHERE }, (_, index) => signIn(world.accounts, email, WRONG, `198.51.100.${index}`)),
  )

describe("attempts at one account", () => {
  test.each(["known", "unknown"])(
    "compares five passwords for an account that is %s, over all replicas",
    async (kind) => {
      const { accounts, replica } = world
      const email = kind === "known" ? (await signUp(accounts)).email : newEmail()
      const spellings = [email, email.toUpperCase(), ` ${email} `]
      const tries = Array.from({ length: 32 }, (_, index) =>
        signIn(index % 2 ? accounts : replica, spellings[index % 3] ?? email, WRONG),
      )
      const outcomes = await outcomesOf(tries)
      expect(count(outcomes, /^Unauthorized: incorrect email or password$/)).toBe(FREE)
      expect(count(outcomes, /^TooManyAttempts: too many wrong passwords, try again in 1 second$/)).toBe(32 - FREE)
    },
  )

  test.each(["known", "unknown"])(
    "compares 30 passwords for an account that is %s, from however many networks",
    async (kind) => {
      const email = kind === "known" ? (await signUp(world.accounts)).email : newEmail()
      const outcomes = await attack(email, (index) => `198.51.100.${index}`)
      expect(count(outcomes, /^Unauthorized/)).toBe(FROM_EVERYWHERE)
      expect(count(outcomes, /wrong passwords for this account, try again in 900 seconds$/)).toBe(200 - FROM_EVERYWHERE)
    },
  )
})

describe("the owner of an account that strangers guess at", () => {
  test("signs in at once with a known browser while strangers guess, and they get no further try by it", async () => {
    const { email, cookie } = await signUp(world.accounts)
    await attack(email, (index) => `198.51.100.${index}`)
    for (let visit = 0; visit < 20; visit += 1) await knownSignIn(email, cookie)
    expect(count(await attack(email, (index) => `203.0.113.${index}`), /^TooManyAttempts/)).toBe(200)
  })

  test("signs in at once with a new browser while one network guesses", async () => {
    const { email } = await signUp(world.accounts)
    await attack(email, () => STRANGER)
    await guessForAnHour(email, () => STRANGER)
    await signIn(world.accounts, email)
  })

  test("waits at most five minutes in the stranger's own network", async () => {
    const { email } = await signUp(world.accounts)
    await guessForAnHour(email, () => STRANGER)
    await signIn(world.accounts, email, WRONG, STRANGER).catch(() => {})
    const refusal: unknown = await signIn(world.accounts, email, PASSWORD, STRANGER).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ name: "TooManyAttempts", retryAfterSeconds: 300 })
    world.advance(300_000)
    await signIn(world.accounts, email, PASSWORD, STRANGER)
  })

  test("a stranger in one network gets 24 tries in the first hour and 12 in each later one", async () => {
    const { email } = await signUp(world.accounts)
    expect(await guessForAnHour(email, () => STRANGER)).toBe(24)
    expect(await guessForAnHour(email, () => STRANGER)).toBeLessThanOrEqual(12)
  })

  test("strangers in many networks get 120 tries an hour together", async () => {
    const { email } = await signUp(world.accounts)
    let index = 0
    const nextNetwork = () => {
      index += 1
      return `198.51.${index >> 8}.${index & 255}`
    }
    expect(await guessForAnHour(email, nextNetwork)).toBeLessThanOrEqual(120)
  })

  test("a refused try makes the delay no longer", async () => {
    const { accounts, advance } = world
    const { email } = await signUp(accounts)
    for (let attempt = 0; attempt < 50; attempt += 1) await signIn(accounts, email, WRONG).catch(() => {})
    advance(1_000)
    await signIn(accounts, email)
  })

  test("counts each account by itself, and resets the count at a success", async () => {
    const { accounts } = world
    const [{ email }, other] = [await signUp(accounts), await signUp(accounts)]
    for (let round = 0; round < 2; round++) {
      await outcomesOf(Array.from({ length: FREE - 1 }, () => signIn(accounts, email, WRONG)))
      await signIn(accounts, email)
    }
    await outcomesOf(Array.from({ length: FREE }, () => signIn(accounts, email, WRONG)))
    await expect(signIn(accounts, email)).rejects.toThrow(TooManyAttempts)
    await signIn(accounts, other.email)
  })

  test("delays somebody who guesses in a stolen session, and not the owner's sign-ins", async () => {
    const { accounts } = world
    const { email, cookie } = await signUp(accounts)
    const session = await sessionOf(accounts, cookie)
    if (!session) throw new Error("not signed in")
    const change = { currentPassword: WRONG, newPassword: "a new and longer password" }
    const confirmation = { session, headers: new Headers({ cookie }), address: "192.0.2.1", body: { password: WRONG } }
    const outcomes = await outcomesOf([
      ...Array.from({ length: 4 }, () => accounts.confirmIdentity(confirmation)),
      ...Array.from({ length: 4 }, () => accounts.changePassword(posting(change, { cookie }))),
    ])
    expect(count(outcomes, /^TooManyAttempts/)).toBe(8 - FREE)
    await signIn(accounts, email)
  })
})

describe("a known browser", () => {
  test("has an allowance of its own, with the same delays", async () => {
    const { email, cookie } = await signUp(world.accounts)
    const guess = () => world.accounts.signIn(posting({ email, password: WRONG }, { cookie }))
    const outcomes = await outcomesOf(Array.from({ length: 12 }, guess))
    expect(count(outcomes, /^Unauthorized/)).toBe(FREE)
    await signIn(world.accounts, email)
  })

  test("is known to its own account only", async () => {
    const [ada, eve] = [await signUp(world.accounts), await signUp(world.accounts)]
    const renamed = eve.cookie.replace(/known_browser_\w+/, /known_browser_\w+/.exec(ada.cookie)?.[0] ?? "")
    await exhaust(ada.email)
    for (const cookie of [eve.cookie, renamed])
      await expect(knownSignIn(ada.email, cookie)).rejects.toThrow(TooManyAttempts)
  })

  test.each([
    ["another signature", (cookie: string) => cookie.replace(/[^.](?=[^.]*$)/, (first) => (first === "A" ? "B" : "A"))],
    ["another id", (cookie: string) => cookie.replace(/(?<==)./, (first) => (first === "_" ? "-" : "_"))],
    ["a later date", (cookie: string) => cookie.replace(/\.(\d{10})\./, (_, at) => `.${Number(at) + 1}.`)],
    ["parts missing", (cookie: string) => cookie.replace(/(known_browser_\w+=[^.]+).*/, "$1")],
  ])("is not known with %s", async (_what, change) => {
    const { email, cookie } = await signUp(world.accounts)
    const last = cookie.split("; ").find((one) => one.includes("known_browser")) ?? ""
    await exhaust(email)
    await expect(knownSignIn(email, change(last))).rejects.toThrow(TooManyAttempts)
    await knownSignIn(email, last)
  })

  test("is forgotten after 400 days, and after a password change elsewhere", async () => {
    const { accounts, advance } = world
    const { email, cookie } = await signUp(accounts)
    const change = { currentPassword: PASSWORD, newPassword: "a new and longer password" }
    const { headers } = await accounts.changePassword(posting(change, { cookie }))
    await exhaust(email)
    const again = (sent: string) => accounts.signIn(posting({ email, password: change.newPassword }, { cookie: sent }))
    await expect(again(cookie)).rejects.toThrow(TooManyAttempts)
    await again(cookiesOf({ headers }))
    advance(400 * 86_400_000)
    await exhaust(email)
    await expect(again(cookiesOf({ headers }))).rejects.toThrow(TooManyAttempts)
  })

  test("stays known through a rotation of the secret", async () => {
    const { email, cookie } = await signUp(world.accounts)
    await exhaust(email)
    const rotated = world.under("another derived secret that is long enough to sign", SECRET)
    await rotated.signIn(posting({ email, password: PASSWORD }, { cookie }))
  })

  test("is in a cookie of this host that no script reads", async () => {
    const secure = await openTestAccounts({ baseUrl: "https://restwell.example" })
    const { headers } = await secure.accounts.signUp(posting({ name: "Ada", email: newEmail(), password: PASSWORD }))
    const [pair = "", ...attributes] = (headers.getSetCookie().at(-1) ?? "").split("; ")
    expect(pair).toMatch(/^__Host-restwell\.known_browser_[0-9a-f]{12}=/)
    expect(attributes.sort()).toEqual(["HttpOnly", "Max-Age=34560000", "Path=/", "SameSite=Strict", "Secure"])
    await secure.close()
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
  advance(86_401_000)
  await outcomesOf([signIn(accounts, newEmail(), WRONG, "198.51.100.9")])
  expect(await rows()).toHaveLength(3)
})
