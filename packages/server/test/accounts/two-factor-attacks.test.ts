import { createTokenCipher, reencryptSecrets, TooManyAttempts } from "@restwell/core"
import { AuthenticatorApp } from "@restwell/testing/member"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { cookiesOf, outcomesOf, PASSWORD, posting, SECRET, sessionOf, signUp } from "./test-accounts.ts"
import { BegunSchema, CodesSchema, openTestTwoFactor, type TestTwoFactor } from "./test-two-factor.ts"

let world: TestTwoFactor
beforeEach(async () => {
  world = await openTestTwoFactor()
})
afterEach(() => world.close())

const OTHER_SECRET = "another derived secret that is long enough to sign with"

describe("guessing codes", () => {
  const guess = async (email: string, times: number) => {
    const outcomes: string[] = []
    for (let index = 0; index < times; index += 1) {
      const address = `198.51.100.${index}`
      const pending = await world.enterPassword(email, address)
      outcomes.push(...(await outcomesOf([world.enterCode(pending, String(100_000 + index), address)])))
    }
    return outcomes
  }

  test("is delayed over all networks, and a right password does not reset the delay", async () => {
    const { email, app } = await world.protectedPerson()
    const outcomes = await guess(email, 12)
    expect(outcomes.filter((outcome) => /incorrect code/.test(outcome))).toHaveLength(5)
    expect(outcomes.filter((outcome) => /too many wrong codes, try again in 1 second/.test(outcome))).toHaveLength(7)
    await expect(world.enterCode(await world.enterPassword(email), app.code())).rejects.toThrow(TooManyAttempts)
    world.advance(1_000)
    await world.enterCode(await world.enterPassword(email), app.code())
  })

  test("does not delay the owner on a known browser", async () => {
    const { email, cookie, app } = await world.protectedPerson()
    const known = cookiesOf(await world.enterCode(await world.enterPassword(email), app.code()))
    world.advance(60_000)
    await guess(email, 12)
    await world.enterCode(`${known}; ${await world.enterPassword(email)}`, app.code())
    expect(cookie).not.toBe("")
  })
})

describe("turning codes off", () => {
  test("needs the password and a code", async () => {
    const { email, cookie, app } = await world.protectedPerson()
    const turnOff = (password: string, code: string) =>
      world.accounts.twoFactor.turnOff(posting({ password, code }, { cookie }))
    await expect(turnOff("not the password", app.code())).rejects.toThrow("incorrect current password")
    await expect(turnOff(PASSWORD, "000000")).rejects.toThrow("incorrect code")
    const off = await turnOff(PASSWORD, app.code())
    expect(await sessionOf(world.accounts, cookiesOf(off))).toMatchObject({ user: { email } })
    expect((await world.accounts.signIn(posting({ email, password: PASSWORD }))).body).toMatchObject({
      user: { email },
    })
    expect((await world.store.pool.query('select from restwell."twoFactor"')).rows).toEqual([])
  })

  test("works with a recovery code", async () => {
    const { cookie, recoveryCodes } = await world.protectedPerson()
    await world.accounts.twoFactor.turnOff(posting({ password: PASSWORD, code: recoveryCodes[0] }, { cookie }))
  })

  test("guesses in a stolen session are delayed", async () => {
    const { cookie } = await world.protectedPerson()
    const outcomes: string[] = []
    for (let index = 0; index < 8; index += 1) {
      const body = { password: PASSWORD, code: String(200_000 + index) }
      outcomes.push(...(await outcomesOf([world.accounts.twoFactor.turnOff(posting(body, { cookie }))])))
    }
    expect(outcomes.filter((outcome) => /incorrect code/.test(outcome))).toHaveLength(5)
    expect(outcomes.filter((outcome) => /TooManyAttempts/.test(outcome))).toHaveLength(3)
  })
})

test("new recovery codes replace the old ones", async () => {
  const { email, cookie, app, recoveryCodes } = await world.protectedPerson()
  const body = { password: PASSWORD, code: app.code() }
  const renewed = await world.accounts.twoFactor.renewRecoveryCodes(posting(body, { cookie }))
  const [first = ""] = CodesSchema.parse(renewed.body).recovery_codes
  await expect(world.enterCode(await world.enterPassword(email), recoveryCodes[0] ?? "")).rejects.toThrow(
    "incorrect code",
  )
  await world.enterCode(await world.enterPassword(email), first)
})

describe("the secret", () => {
  const stored = async () =>
    JSON.stringify((await world.store.pool.query('select t::text from restwell."twoFactor" t')).rows)

  test("is stored encrypted, with the recovery codes", async () => {
    const { cookie } = await signUp(world.accounts)
    const begun = BegunSchema.parse(
      (await world.accounts.twoFactor.begin(posting({ password: PASSWORD }, { cookie }))).body,
    )
    const app = new AuthenticatorApp(begun.uri, () => Date.now())
    const confirmed = await world.accounts.twoFactor.confirm(posting({ code: app.code() }, { cookie }))
    const text = await stored()
    for (const secret of [begun.key, ...CodesSchema.parse(confirmed.body).recovery_codes])
      expect(text).not.toContain(secret)
    expect(world.log.join("")).not.toContain(begun.key)
  })

  test("stays readable through a rotation, also for a service that has only the new secret", async () => {
    const { email, app, recoveryCodes } = await world.protectedPerson()
    const both = world.under(OTHER_SECRET, SECRET)
    await world.enterCode(await world.enterPassword(email, undefined, both), app.code(), undefined, both)
    const cipher = createTokenCipher([OTHER_SECRET, SECRET])
    const counted = await reencryptSecrets({ database: world.store.database, cipher })
    expect(counted["sign-in codes"]).toEqual({ reencrypted: 2, left: 0, unreadable: 0 })
    world.advance(60_000)
    const renewed = world.under(OTHER_SECRET)
    await world.enterCode(await world.enterPassword(email, undefined, renewed), app.code(), undefined, renewed)
    await world.enterCode(
      await world.enterPassword(email, undefined, renewed),
      recoveryCodes[3] ?? "",
      undefined,
      renewed,
    )
  })

  test("that nobody can decrypt is left as it is, and the person learns it", async () => {
    const { email, app } = await world.protectedPerson()
    const before = await stored()
    const lost = world.under(OTHER_SECRET)
    const counted = await reencryptSecrets({
      database: world.store.database,
      cipher: createTokenCipher([OTHER_SECRET]),
    })
    expect(counted["sign-in codes"]).toEqual({ reencrypted: 0, left: 0, unreadable: 2 })
    expect(await stored()).toBe(before)
    const outcome = await outcomesOf([
      world
        .enterPassword(email, undefined, lost)
        .then((cookie) => world.enterCode(cookie, app.code(), undefined, lost)),
    ])
    expect(outcome[0]).toMatch(/sign-in codes cannot be checked now, ask the operator/)
  })
})

test("the security log names each event", async () => {
  const { email, cookie, app, recoveryCodes } = await world.protectedPerson()
  await world.enterCode(await world.enterPassword(email), app.code())
  await outcomesOf([world.enterCode(await world.enterPassword(email), "000000")])
  await world.enterCode(await world.enterPassword(email), recoveryCodes[0] ?? "")
  world.advance(60_000)
  await world.accounts.twoFactor.renewRecoveryCodes(posting({ password: PASSWORD, code: app.code() }, { cookie }))
  world.advance(60_000)
  await world.accounts.twoFactor.turnOff(posting({ password: PASSWORD, code: app.code() }, { cookie }))
  const { rows } = await world.store.pool.query<{ text: string }>(
    "select type || coalesce(': ' || detail, '') as text from restwell.security_event order by id",
  )
  expect(rows.map(({ text }) => text)).toEqual([
    "account_created: password",
    "signed_in: password",
    "two_factor_on",
    "signed_in: password and code",
    "sign_in_failed: code",
    "recovery_code_used",
    "signed_in: password and recovery code",
    "recovery_codes_replaced",
    "two_factor_off",
  ])
})
