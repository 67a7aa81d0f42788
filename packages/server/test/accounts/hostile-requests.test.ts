import { createHook } from "node:async_hooks"
import { channel } from "node:diagnostics_channel"
import { InvalidRequest, ServiceError } from "@restwell/core"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import type { TestAccounts } from "./test-accounts.ts"
import {
  cookiesOf,
  newEmail,
  openTestAccounts,
  outcomesOf,
  PASSWORD,
  posting,
  sessionOf,
  signIn,
  signUp,
} from "./test-accounts.ts"

let world: TestAccounts
beforeAll(async () => {
  world = await openTestAccounts()
})
afterAll(() => world.close())

describe("a body", () => {
  const good = { name: "Ada", email: "somebody@example.com", password: PASSWORD }
  test.each([
    ["no name", { ...good, name: undefined }, "name"],
    ["a name of spaces", { ...good, name: "  " }, "name"],
    ["a name of 101 characters", { ...good, name: "a".repeat(101) }, "name"],
    ["a name that is a number", { ...good, name: 7 }, "name"],
    ["an address without a host", { ...good, email: "ada@" }, "email"],
    ["an address of 300 characters", { ...good, email: `${"a".repeat(290)}@example.com` }, "email"],
    ["an address that is a list", { ...good, email: [good.email] }, "email"],
    ["an address with U+0000", { ...good, email: "a\0da@example.com" }, "email"],
    ["a password that is short", { ...good, password: "seven77" }, "password"],
    ["a password that is long", { ...good, password: "a".repeat(129) }, "password"],
    ["a list", [good], "body"],
    ["null", null, "body"],
    ["text in place of an object", "{", "body"],
  ])("with %s is refused with the name of the field", async (_kind, body, field) => {
    const refusal = await world.accounts.signUp(posting(body)).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(InvalidRequest)
    expect(refusal).toMatchObject({ field, message: expect.stringMatching(/^\S.*[^.]$/) })
  })

  test("of any content never causes an internal error", async () => {
    const { accounts, advance } = world
    const value = fc.jsonValue()
    const body = fc.oneof(
      value,
      fc.record({ name: value, email: value, password: value }),
      fc.record({ email: fc.emailAddress(), password: fc.string({ unit: "binary", maxLength: 6 }) }),
    )
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom("signUp", "signIn", "changePassword"), async (content, act) => {
        advance(5_000)
        const refusal = await accounts[act](posting(content)).catch((error: unknown) => error)
        expect(refusal).toBeInstanceOf(ServiceError)
      }),
      { numRuns: 200 },
    )
  })

  test("with any cookie that was not issued signs nobody in", async () => {
    const cookie = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) })
    await fc.assert(
      fc.asyncProperty(cookie, async (value) => {
        expect(await sessionOf(world.accounts, `restwell.session_token=${value}`)).toBeUndefined()
      }),
      { numRuns: 200 },
    )
  })
})

describe("sign-ins with a wrong password and with an unknown account", () => {
  /** How many password hashes were computed meanwhile, in libuv's thread pool. */
  async function hashesDuring(act: () => Promise<unknown>): Promise<number> {
    let hashes = 0
    const hook = createHook({
      init: (_id, type) => {
        if (type === "SCRYPTREQUEST") hashes++
      },
    }).enable()
    await act()
    hook.disable()
    return hashes
  }

  test("give the same error and compute one hash each, off the event loop", async () => {
    const own = await openTestAccounts({ hash: "own" })
    const { accounts } = own
    const { email } = await signUp(accounts)
    const refusals: unknown[] = []
    const refuse = async (address: string) =>
      refusals.push(await signIn(accounts, address, "not the password").catch((error: unknown) => error))
    expect(await hashesDuring(() => refuse(email))).toBe(1)
    expect(await hashesDuring(() => refuse(newEmail()))).toBe(1)
    expect(refusals[0]).toMatchObject({ code: "unauthorized", message: "incorrect email or password" })
    expect(String(refusals[1])).toBe(String(refusals[0]))
    await own.close()
  })
})

describe("the log", () => {
  test("contains no password, session token or email address, and no request leaves the process", async () => {
    const quiet = await openTestAccounts()
    const sent: unknown[] = []
    const note = (message: unknown) => sent.push(message)
    const requests = channel("undici:request:create")
    requests.subscribe(note)
    const printed = [vi.spyOn(console, "log"), vi.spyOn(console, "warn"), vi.spyOn(console, "error")]
    const { accounts } = quiet
    const { email, cookie } = await signUp(accounts)
    const renewed = cookiesOf(await signIn(accounts, email))
    await outcomesOf([signIn(accounts, email, "a canary of a password"), signUp(accounts, email)])
    await outcomesOf(Array.from({ length: 4 }, () => signUp(accounts, "twice@example.com")))
    await accounts.signOut(posting({}, { cookie }))
    requests.unsubscribe(note)
    const written = quiet.log.join("\n")
    expect(written).not.toBe("")
    const secrets = [PASSWORD, "a canary of a password", email, "twice@example.com"]
    const tokens = [cookie, renewed].map((pair) => pair.split("=")[1]?.split(".")[0] ?? "")
    for (const secret of [...secrets, ...tokens]) expect(written).not.toContain(secret)
    expect(sent).toEqual([])
    for (const print of printed) expect(print).not.toHaveBeenCalled()
    await quiet.close()
  })
})
