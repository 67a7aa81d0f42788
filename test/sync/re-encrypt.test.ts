import { randomBytes } from "node:crypto"
import {
  beginConnection,
  type Context,
  completeConnection,
  createTokenCipher,
  freshAccessToken,
  readServiceSettings,
  reencryptSecrets,
  type Secrets,
  writeServiceSettings,
} from "@restwell/core"
import { AuthorizationRevoked, type OauthAdapter, type TokenSet, VENDORS, VendorUnavailable } from "@restwell/providers"
import { createWorld, type World } from "@restwell/testing/world"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"

const PROVIDER = "whoop"
const NOTHING = { reencrypted: 0, left: 0, unreadable: 0 }

let world: World
beforeAll(async () => {
  world = await createWorld({ days: 1 })
})
afterAll(() => world.close())

const newSecret = (): string => randomBytes(32).toString("base64url")

/** A vendor that only issues tokens, and accepts only the newest refresh token. */
class TokenVendor {
  access = ""
  #refresh = ""
  leavesRefreshOut = false

  #issue(): TokenSet {
    this.access = newSecret()
    const tokens = { accessToken: this.access, expiresInSeconds: 3600, scopes: [] }
    if (this.leavesRefreshOut) return tokens
    this.#refresh = newSecret()
    return { ...tokens, refreshToken: this.#refresh }
  }

  readonly adapter: OauthAdapter = {
    access: "oauth",
    provider: PROVIDER,
    scopes: [],
    syncPolicy: VENDORS.whoop.syncPolicy,
    collections: { all: [], allowStep: "" },
    createState: newSecret,
    authorizeUrl: ({ state }) => new URL(`https://vendor.example/?state=${state}`),
    exchangeCode: async () => this.#issue(),
    refreshTokens: async (refreshToken) => {
      if (refreshToken !== this.#refresh) throw new AuthorizationRevoked("another refresh token")
      return this.#issue()
    },
    revokeAccess: async () => {},
    fetchPage: async () => down(),
    fetchRecord: async () => down(),
    fetchProfile: async () => down(),
  }
}

function down(): never {
  throw new VendorUnavailable("only tokens here")
}

async function connect(context: Context, userId: string): Promise<void> {
  const attempt = { userId, provider: PROVIDER, sessionId: "session", redirectUri: "http://localhost:3000/callback" }
  const state = (await beginConnection(context, attempt)).searchParams.get("state") ?? ""
  await completeConnection(context, { ...attempt, state, code: "code" })
}

const STEPS = [
  "connect",
  "refresh",
  "refresh without a new refresh token",
  "rotate",
  "re-encrypt",
  "re-encrypt and forget",
]

test("both tokens can be decrypted after any sequence of connecting, refreshing, rotating and re-encrypting", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { maxLength: 12 }), async (steps) => {
      const vendor = new TokenVendor()
      let secrets: Secrets = [newSecret()]
      const context = {
        ...world.context,
        adapters: new Map([[PROVIDER, vendor.adapter]]),
        cipher: createTokenCipher(() => secrets),
      }
      const userId = await world.addUser()
      const connection = { userId, provider: PROVIDER }
      const forget = () => {
        // A process that starts now has only the given secrets.
        const given: Secrets = [secrets[0]]
        secrets = given
        context.cipher = createTokenCipher(() => secrets)
      }
      const refresh = async (leavesRefreshOut: boolean) => {
        vendor.leavesRefreshOut = leavesRefreshOut
        const before = vendor.access
        expect(await freshAccessToken(context, connection, before)).toBe(vendor.access)
        expect(vendor.access).not.toBe(before)
        vendor.leavesRefreshOut = false
      }
      await connect(context, userId)
      for (const step of steps) {
        if (step === "connect") await connect(context, userId)
        if (step === "refresh") await refresh(false)
        if (step === "refresh without a new refresh token") await refresh(true)
        if (step === "rotate") secrets = [newSecret(), ...secrets]
        if (step.startsWith("re-encrypt")) {
          expect((await reencryptSecrets(context))["vendor tokens"]).toMatchObject({ left: 0 })
          expect((await reencryptSecrets(context))["vendor tokens"]).toMatchObject({ reencrypted: 0, left: 0 })
        }
        if (step === "re-encrypt and forget") forget()
        expect(await freshAccessToken(context, connection)).toBe(vendor.access)
      }
      await reencryptSecrets(context)
      forget()
      expect(await freshAccessToken(context, connection)).toBe(vendor.access)
      await refresh(false)
      await world.store.pool.query(`delete from restwell."user" where id = $1`, [userId])
    }),
    { numRuns: 60 },
  )
})

test("tokens under an unknown key are counted and left unchanged, and the others are re-encrypted", async () => {
  const [old, lost, current] = [newSecret(), newSecret(), newSecret()]
  const vendor = new TokenVendor()
  const adapters = new Map([[PROVIDER, vendor.adapter]])
  const under = (...secrets: [string, ...string[]]) => ({
    ...world.context,
    adapters,
    cipher: createTokenCipher(secrets),
  })
  const [ada, bob] = [await world.addUser(), await world.addUser()]
  await connect(under(lost), ada)
  await connect(under(old), bob)
  const { "vendor tokens": tokens, ...others } = await reencryptSecrets(under(current, old))
  expect(tokens).toEqual({ reencrypted: 2, left: 0, unreadable: 2 })
  for (const count of Object.values(others)) expect(count).toEqual(NOTHING)
  expect(await freshAccessToken(under(current), { userId: bob, provider: PROVIDER })).toBe(vendor.access)
  expect((await reencryptSecrets(under(current, lost)))["vendor tokens"]).toEqual({
    reencrypted: 2,
    left: 0,
    unreadable: 0,
  })
})

test("the owner's settings are re-encrypted, and then open without the former secret", async () => {
  const [old, current] = [newSecret(), newSecret()]
  const under = (...secrets: [string, ...string[]]) => ({ ...world.context, cipher: createTokenCipher(secrets) })
  const [before, after] = [under(old), under(current, old)]
  await writeServiceSettings(before, { WHOOP_CLIENT_ID: "id", WHOOP_CLIENT_SECRET: "secret" })
  expect((await readServiceSettings(under(current))).unreadable).toEqual(["WHOOP_CLIENT_ID", "WHOOP_CLIENT_SECRET"])
  expect((await reencryptSecrets(after)).settings).toEqual({ reencrypted: 2, left: 0, unreadable: 0 })
  expect([...(await readServiceSettings(under(current))).values]).toEqual(
    expect.arrayContaining([
      ["WHOOP_CLIENT_ID", "id"],
      ["WHOOP_CLIENT_SECRET", "secret"],
    ]),
  )
})
