import { AuthenticatorApp } from "@restwell/testing/member"
import { vi } from "vitest"
import { z } from "zod"
import { cookiesOf, openTestAccounts, PASSWORD, posting, signUp, type TestAccounts } from "./test-accounts.ts"

export const BegunSchema = z.object({ uri: z.string(), key: z.string().regex(/^[A-Z2-7]{52}$/) })
export const CodesSchema = z.object({
  recovery_codes: z.array(z.string().regex(/^(?:[0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)),
})

interface Protected {
  readonly email: string
  /** Of the session in which codes were turned on. */
  readonly cookie: string
  readonly app: AuthenticatorApp
  readonly recoveryCodes: readonly string[]
}

/** Accounts of people who sign in with codes. better-auth checks codes by the machine's clock, which moves with the world's here. */
export interface TestTwoFactor extends TestAccounts {
  begin(cookie: string, password?: string): Promise<AuthenticatorApp>
  /** A person who has turned codes on, and whose code of then is over. */
  protectedPerson(): Promise<Protected>
  /** The cookie of a sign-in that waits for its code. */
  enterPassword(email: string, address?: string, accounts?: TestAccounts["accounts"]): Promise<string>
  enterCode(
    cookie: string,
    code: string,
    address?: string,
    accounts?: TestAccounts["accounts"],
  ): ReturnType<TestAccounts["accounts"]["signInWithCode"]>
}

export async function openTestTwoFactor(): Promise<TestTwoFactor> {
  vi.useFakeTimers({ toFake: ["Date"] })
  const world = await openTestAccounts()
  const { accounts } = world
  const advance = (milliseconds: number) => {
    world.advance(milliseconds)
    vi.setSystemTime(Date.now() + milliseconds)
  }
  const begin: TestTwoFactor["begin"] = async (cookie, password = PASSWORD) => {
    const begun = await accounts.twoFactor.begin(posting({ password }, { cookie }))
    return new AuthenticatorApp(BegunSchema.parse(begun.body).uri, () => Date.now())
  }
  return {
    ...world,
    advance,
    begin,
    async protectedPerson() {
      const { email, cookie } = await signUp(accounts)
      const app = await begin(cookie)
      const confirmed = await accounts.twoFactor.confirm(posting({ code: app.code() }, { cookie }))
      advance(60_000)
      const { recovery_codes: recoveryCodes } = CodesSchema.parse(confirmed.body)
      return { email, cookie: cookiesOf(confirmed), app, recoveryCodes }
    },
    async enterPassword(email, address, at = accounts) {
      const answer = await at.signIn(posting({ email, password: PASSWORD }, {}, address))
      if (JSON.stringify(answer.body) !== '{"code_required":true}') throw new Error("no code is required")
      return cookiesOf(answer)
    },
    enterCode: (cookie, code, address, at = accounts) => at.signInWithCode(posting({ code }, { cookie }, address)),
    async close() {
      vi.useRealTimers()
      await world.close()
    },
  }
}
