import type { Context, SecurityEvent } from "@restwell/core"
import type { Auth } from "./better-auth.ts"
import type { KnownBrowsers } from "./known-browsers.ts"

export interface AccountRequest {
  readonly request: Request
  /** The visitor's IP address. */
  readonly address: string
}

export interface AccountAnswer {
  readonly body: unknown
  /** With the cookies to set. */
  readonly headers: Headers
}

export type AccountOperation = (request: AccountRequest) => Promise<AccountAnswer>

/** What the operations of accounts share. */
export interface AccountsContext {
  readonly auth: Auth
  readonly context: Pick<Context, "database" | "clock" | "logger">
  readonly knownBrowsers: KnownBrowsers
  /** Sign the cookies, the current one first. */
  readonly secrets: readonly [string, ...string[]]
  /** Writes an entry to the person's security log. */
  readonly record: (userId: string, address: string, event: SecurityEvent) => Promise<void>
}
