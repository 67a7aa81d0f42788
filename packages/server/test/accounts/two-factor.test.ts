import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { cookiesOf, outcomesOf, PASSWORD, posting, sessionOf, signUp } from "./test-accounts.ts"
import { CodesSchema, openTestTwoFactor, type TestTwoFactor } from "./test-two-factor.ts"

let world: TestTwoFactor
beforeEach(async () => {
  world = await openTestTwoFactor()
})
afterEach(() => world.close())

describe("turning codes on", () => {
  test("needs the password, and a code of the app", async () => {
    const { email, cookie } = await signUp(world.accounts)
    await expect(world.begin(cookie, "not the password")).rejects.toThrow("incorrect current password")
    const app = await world.begin(cookie)
    await expect(world.accounts.twoFactor.confirm(posting({ code: "000000" }, { cookie }))).rejects.toThrow(
      "incorrect code",
    )
    // Nothing has changed so far.
    expect((await world.accounts.signIn(posting({ email, password: PASSWORD }))).body).toMatchObject({
      user: { email },
    })
    const confirmed = await world.accounts.twoFactor.confirm(posting({ code: app.code() }, { cookie }))
    expect(new Set(CodesSchema.parse(confirmed.body).recovery_codes).size).toBe(10)
    const session = await sessionOf(world.accounts, cookiesOf(confirmed))
    expect(await world.accounts.signInMethods(session?.userId ?? "")).toMatchObject({ twoFactor: true })
  })

  test("is refused while they are on, so that a stolen session cannot replace the app", async () => {
    const { cookie } = await world.protectedPerson()
    await expect(world.begin(cookie)).rejects.toThrow("sign-in codes are on, turn them off first")
    await expect(world.accounts.twoFactor.confirm(posting({ code: "000000" }, { cookie }))).rejects.toThrow(
      "codes are on",
    )
  })

  test("can be begun again, and only the last app counts", async () => {
    const { cookie } = await signUp(world.accounts)
    const [first, second] = [await world.begin(cookie), await world.begin(cookie)]
    const confirm = (code: string) => world.accounts.twoFactor.confirm(posting({ code }, { cookie }))
    await expect(confirm(first.code())).rejects.toThrow("incorrect code")
    await confirm(second.code())
  })

  test("needs a session", async () => {
    for (const answer of Object.values(world.accounts.twoFactor))
      await expect(answer(posting({ password: PASSWORD, code: "123456" }))).rejects.toThrow("not signed in")
  })
})

describe("signing in", () => {
  test("asks for a code after the password, and gives no session before", async () => {
    const { email, app } = await world.protectedPerson()
    const pending = await world.enterPassword(email)
    expect(await sessionOf(world.accounts, pending)).toBeUndefined()
    const signedIn = await world.enterCode(pending, app.code())
    expect(signedIn.body).toMatchObject({ user: { email } })
    expect(await sessionOf(world.replica, cookiesOf(signedIn))).toMatchObject({ user: { email } })
    expect(await world.accounts.passkeys.list(await requireSession(signedIn))).toEqual([])
  })

  const requireSession = async (answer: { headers: Headers }) => {
    const session = await sessionOf(world.accounts, cookiesOf(answer))
    if (!session) throw new Error("not signed in")
    return session
  }

  test("takes the code of the last and of the next half minute, and no older one", async () => {
    const { email, app } = await world.protectedPerson()
    for (const periods of [-1, 1]) {
      await world.enterCode(await world.enterPassword(email), app.code(periods))
      world.advance(120_000)
    }
    for (const periods of [-2, 2])
      await expect(world.enterCode(await world.enterPassword(email), app.code(periods))).rejects.toThrow(
        "incorrect code",
      )
  })

  test("takes each code once, over all replicas at the same time", async () => {
    const { email, app } = await world.protectedPerson()
    const code = app.code()
    const pending = await Promise.all(Array.from({ length: 4 }, () => world.enterPassword(email)))
    const tries = pending.map((cookie, index) =>
      world.enterCode(cookie, code, undefined, index % 2 ? world.accounts : world.replica),
    )
    expect((await outcomesOf(tries)).filter((outcome) => outcome === "ok")).toHaveLength(1)
    world.advance(25_000)
    await expect(world.enterCode(await world.enterPassword(email), code)).rejects.toThrow("this code was used before")
    world.advance(25_000)
    await expect(world.enterCode(await world.enterPassword(email), code)).rejects.toThrow(
      /this code was used before|incorrect code/,
    )
  })

  test("does not take the code that turned codes on", async () => {
    const { email, cookie } = await signUp(world.accounts)
    const app = await world.begin(cookie)
    await world.accounts.twoFactor.confirm(posting({ code: app.code() }, { cookie }))
    await expect(world.enterCode(await world.enterPassword(email), app.code())).rejects.toThrow("used before")
  })

  test("takes a recovery code once, however it is typed", async () => {
    const { email, recoveryCodes } = await world.protectedPerson()
    const [first = "", second = ""] = recoveryCodes
    const typed = ` ${first.toUpperCase().replaceAll("-", " ").replaceAll("0", "O").replaceAll("1", "l")} `
    await world.enterCode(await world.enterPassword(email), typed)
    await expect(world.enterCode(await world.enterPassword(email), first)).rejects.toThrow("incorrect code")
    await world.enterCode(await world.enterPassword(email), second)
  })

  test("ends ten minutes after the password", async () => {
    const { email, app } = await world.protectedPerson()
    const pending = await world.enterPassword(email)
    world.advance(600_001)
    await expect(world.enterCode(pending, app.code())).rejects.toThrow(
      "this sign-in has expired, enter your password again",
    )
    await expect(world.enterCode("", app.code())).rejects.toThrow("enter your password again")
    await expect(world.enterCode(pending.replace(/.$/, "x"), app.code())).rejects.toThrow("enter your password again")
  })

  test("takes nobody else's code, and not the code of the person whose session the browser has", async () => {
    const [ada, eve] = [await world.protectedPerson(), await world.protectedPerson()]
    const pending = await world.enterPassword(ada.email)
    const inEvesBrowser = `${eve.cookie}; ${pending}`
    await expect(world.enterCode(inEvesBrowser, eve.app.code())).rejects.toThrow("incorrect code")
    const signedIn = await world.enterCode(inEvesBrowser, ada.app.code())
    expect(signedIn.body).toMatchObject({ user: { email: ada.email } })
  })
})
