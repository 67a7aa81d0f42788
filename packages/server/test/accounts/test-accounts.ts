// Accounts over a database of its own, on a clock that stands still, with what two replicas and their log show.
import { randomUUID } from "node:crypto"
import { createTokenCipher, openDatabase, openPool } from "@restwell/core"
import { createTestDatabase, type TestDatabase } from "@restwell/testing/database"
import { QUICK_PASSWORD_HASH } from "@restwell/testing/service"
import { type Accounts, createAccounts } from "../../src/accounts/accounts.ts"
import { createLogger } from "../../src/process/logger.ts"

/** What signs the cookies where a test says nothing else. */
export const SECRET = "a derived secret that is long enough to sign cookies with"

export interface TestAccounts {
  readonly accounts: Accounts
  /** Another process on the same database, with a pool of its own. */
  readonly replica: Accounts
  /** A process that was started with other secrets, the current one first. */
  under(secret: string, ...formerSecrets: readonly string[]): Accounts
  readonly baseUrl: string
  readonly store: TestDatabase
  /** Every line that was logged, from the lowest level on. */
  readonly log: readonly string[]
  advance(milliseconds: number): void
  close(): Promise<void>
}

export interface TestAccountsOptions {
  readonly baseUrl?: string
  readonly signUp?: "open" | "closed"
  /** @default a quick one */
  readonly hash?: "quick" | "own"
}

export async function openTestAccounts({
  baseUrl = "http://localhost:3000",
  signUp = "open",
  hash = "quick",
}: TestAccountsOptions = {}): Promise<TestAccounts> {
  const store = await createTestDatabase()
  const log: string[] = []
  const logger = createLogger("trace", { write: (line: string) => void log.push(line) })
  let now = new Date()
  const clock = { now: () => now }
  const create = (
    database: TestDatabase["database"],
    { secret = SECRET, formerSecrets = [] }: { secret?: string; formerSecrets?: readonly string[] } = {},
  ) =>
    createAccounts({
      context: { database, clock, logger, cipher: createTokenCipher([secret, ...formerSecrets]) },
      baseUrl,
      secret,
      formerSecrets,
      signUp: () => signUp,
      identityProviders: [],
      passwordHash: hash === "quick" ? QUICK_PASSWORD_HASH : undefined,
    })
  const replicaPool = openPool({ ...store.connection, max: 8 }, () => {})
  return {
    accounts: create(store.database),
    replica: create(openDatabase(replicaPool)),
    under: (secret, ...formerSecrets) => create(store.database, { secret, formerSecrets }),
    baseUrl,
    store,
    log,
    advance(milliseconds) {
      now = new Date(now.getTime() + milliseconds)
    },
    async close() {
      await replicaPool.end()
      await store.drop()
    },
  }
}

export const PASSWORD = "correct horse battery staple"
const ADDRESS = "192.0.2.1"

/** An address nobody has yet. */
export const newEmail = (): string => `${randomUUID()}@example.com`

/** What a handler hands over: a body, and the headers a test is about. */
export const posting = (body: unknown, headers: Readonly<Record<string, string>> = {}, address = ADDRESS) => ({
  body,
  headers: new Headers(headers),
  address,
})

/** The cookies of an answer, as a browser sends them back. */
export const cookiesOf = ({ headers }: { headers: Headers }): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ")

export interface TestPerson {
  readonly email: string
  readonly cookie: string
}

export async function signUp(accounts: Accounts, email = newEmail()): Promise<TestPerson> {
  const answer = await accounts.signUp(posting({ name: "Ada", email, password: PASSWORD }))
  return { email, cookie: cookiesOf(answer) }
}

export const signIn = (accounts: Accounts, email: string, password = PASSWORD, address = ADDRESS) =>
  accounts.signIn(posting({ email, password }, {}, address))

export const sessionOf = (accounts: Accounts, cookie: string) => accounts.sessionOf(new Headers({ cookie }))

/** What each of many tries ended as: `ok`, or the message of its refusal. */
export async function outcomesOf(tries: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(tries)
  return settled.map((result) => (result.status === "fulfilled" ? "ok" : String(result.reason)))
}
