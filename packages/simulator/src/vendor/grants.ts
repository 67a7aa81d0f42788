/**
 * Authorization codes and tokens. A refresh invalidates the old access token and the old refresh token at once. Of two
 * refreshes with the same token the first succeeds and the second fails. A file keeps the grants over a restart of the simulator.
 */

import { randomBytes } from "node:crypto"
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

export interface Grant {
  readonly userId: number
  readonly clientId: string
  readonly scopes: readonly string[]
}

export interface TokenPair {
  readonly accessToken: string
  /** Only for grants that the vendor lets refresh. */
  readonly refreshToken?: string
  readonly grant: Grant
}

/** A token pair with the expiry of its access token, epoch ms. */
interface StoredPair extends TokenPair {
  readonly accessExpiresMs: number
}

interface Code {
  readonly grant: Grant
  readonly redirectUri: string
  readonly expiresMs: number
}

export interface GrantRules {
  readonly nowMs: () => number
  readonly accessTokenSeconds: number
  /** @default 600: Ory Hydra's, and Oura's */
  readonly codeSeconds?: number
  /** Whether the vendor gives this grant a refresh token. */
  readonly isRefreshable: (grant: Grant) => boolean
}

const CODE_SECONDS = 600

export class Grants {
  readonly #nowMs: () => number
  readonly #accessLifeMs: number
  readonly #codeLifeMs: number
  readonly #isRefreshable: (grant: Grant) => boolean
  readonly #codes = new Map<string, Code>()
  readonly #spentCodes = new Map<string, Grant>()
  readonly #access = new Map<string, { grant: Grant; expiresMs: number }>()
  readonly #refresh = new Map<string, Grant>()
  #changed: () => void = () => {}

  constructor({ nowMs, accessTokenSeconds, codeSeconds = CODE_SECONDS, isRefreshable }: GrantRules) {
    this.#nowMs = nowMs
    this.#accessLifeMs = accessTokenSeconds * 1000
    this.#codeLifeMs = codeSeconds * 1000
    this.#isRefreshable = isRefreshable
  }

  issueCode(grant: Grant, redirectUri: string): string {
    const code = opaque("code")
    this.#codes.set(code, { grant, redirectUri, expiresMs: this.#nowMs() + this.#codeLifeMs })
    return code
  }

  /** Exchanges a code once. A second attempt ends the grant of the first (RFC 6749, section 4.1.2). */
  exchangeCode(code: string, clientId: string, redirectUri: string): TokenPair | undefined {
    const spent = this.#spentCodes.get(code)
    if (spent) this.#end(spent)
    const known = this.#codes.get(code)
    if (!known || known.grant.clientId !== clientId || known.redirectUri !== redirectUri) return undefined
    this.#codes.delete(code)
    if (known.expiresMs <= this.#nowMs()) return undefined
    this.#spentCodes.set(code, known.grant)
    return this.#issue(known.grant)
  }

  refresh(refreshToken: string, clientId: string): TokenPair | undefined {
    const grant = this.#refresh.get(refreshToken)
    if (!grant || grant.clientId !== clientId) return undefined
    this.#end(grant)
    return this.#issue(grant)
  }

  /** Gives another access token for a grant whose refresh token stays. The former access token is valid to its end. */
  renewAccess(refreshToken: string, clientId: string): TokenPair | undefined {
    const grant = this.#refresh.get(refreshToken)
    if (!grant || grant.clientId !== clientId) return undefined
    const accessToken = opaque("access")
    this.#access.set(accessToken, { grant, expiresMs: this.#nowMs() + this.#accessLifeMs })
    this.#changed()
    return { accessToken, grant }
  }

  /** Whether a refresh token is valid. */
  isRefreshable(refreshToken: string): boolean {
    return this.#refresh.has(refreshToken)
  }

  /** Returns the grant of a valid access token. */
  authorize(accessToken: string): Grant | undefined {
    const known = this.#access.get(accessToken)
    return known && known.expiresMs > this.#nowMs() ? known.grant : undefined
  }

  /** Returns the user id behind a token, valid or not. For the request log and for faults. */
  ownerOf(token: string): number | undefined {
    return this.#access.get(token)?.grant.userId ?? this.#refresh.get(token)?.userId
  }

  /** Makes a code invalid, as a request at the wrong endpoint does. */
  spendCode(code: string): void {
    this.#codes.delete(code)
  }

  /** Ends the grant of an access token, valid or expired. */
  revokeToken(accessToken: string): void {
    const known = this.#access.get(accessToken)
    if (known) this.#end(known.grant)
  }

  /** Makes a person's access tokens expire now. Their refresh tokens stay valid. */
  expireAccess(userId: number): void {
    for (const known of this.#access.values()) if (known.grant.userId === userId) known.expiresMs = this.#nowMs()
    this.#changed()
  }

  /** Ends all grants of a person, or only those to one client. */
  revoke(userId: number, clientId?: string): void {
    const grants = [...[...this.#access.values()].map(({ grant }) => grant), ...this.#refresh.values()]
    for (const grant of new Set(grants)) {
      if (grant.userId === userId && (clientId === undefined || grant.clientId === clientId)) this.#end(grant)
    }
  }

  /** Whether a person has a grant with a valid token. */
  isConnected(userId: number): boolean {
    const nowMs = this.#nowMs()
    return (
      [...this.#refresh.values()].some((grant) => grant.userId === userId) ||
      [...this.#access.values()].some(({ grant, expiresMs }) => grant.userId === userId && expiresMs > nowMs)
    )
  }

  /** Calls back after every change of a token. */
  onChange(changed: () => void): void {
    this.#changed = changed
  }

  /** Returns every pair, expired access tokens included: their refresh tokens may be valid. */
  pairs(): StoredPair[] {
    return [...this.#access].map(([accessToken, { grant, expiresMs }]) => {
      const refreshToken = [...this.#refresh].find(([, known]) => known === grant)?.[0]
      return { accessToken, accessExpiresMs: expiresMs, grant, ...(refreshToken !== undefined && { refreshToken }) }
    })
  }

  restore({ accessToken, accessExpiresMs, refreshToken, grant }: StoredPair): void {
    this.#access.set(accessToken, { grant, expiresMs: accessExpiresMs })
    if (refreshToken !== undefined) this.#refresh.set(refreshToken, grant)
  }

  counts(): { codes: number; accessTokens: number; refreshTokens: number } {
    return { codes: this.#codes.size, accessTokens: this.#access.size, refreshTokens: this.#refresh.size }
  }

  #issue(grant: Grant): TokenPair {
    const accessToken = opaque("access")
    this.#access.set(accessToken, { grant, expiresMs: this.#nowMs() + this.#accessLifeMs })
    const refreshToken = this.#isRefreshable(grant) ? opaque("refresh") : undefined
    if (refreshToken !== undefined) this.#refresh.set(refreshToken, grant)
    this.#changed()
    return { accessToken, grant, ...(refreshToken !== undefined && { refreshToken }) }
  }

  #end(grant: Grant): void {
    for (const [token, known] of this.#access) if (known.grant === grant) this.#access.delete(token)
    for (const [token, known] of this.#refresh) if (known === grant) this.#refresh.delete(token)
    this.#changed()
  }
}

/** Tokens do not depend on the seed, so that those of one run are invalid in the next. */
function opaque(kind: string): string {
  return `sim-${kind}-${randomBytes(24).toString("base64url")}`
}

/** Restores the grants from the file, then rewrites the file after every change. */
export function persistGrants(path: string, grants: Grants): void {
  for (const pair of readPairs(path)) grants.restore(pair)
  grants.onChange(() => writePairs(path, grants.pairs()))
}

function readPairs(path: string): StoredPair[] {
  try {
    const pairs: StoredPair[] = JSON.parse(readFileSync(path, "utf8"))
    return pairs
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return []
    throw error
  }
}

/** Writes a new file and renames it, so that a crash leaves either the old or the new content. */
function writePairs(path: string, pairs: readonly StoredPair[]): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, JSON.stringify(pairs), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}
