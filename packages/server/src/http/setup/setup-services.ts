import type { Context, Secrets } from "@restwell/core"
import type { Accounts } from "../../accounts/accounts.ts"
import type { LiveSettings } from "../../config/live-settings.ts"
import type { Dashboard } from "../../dashboard/dashboard.ts"
import type { FirstVisitServices } from "./first-visitor.ts"

export interface SetupServices extends FirstVisitServices {
  readonly context: Context
  readonly accounts: Accounts
  readonly baseUrl: string
  readonly live: LiveSettings
  readonly secrets: () => Secrets
  readonly dashboard: Dashboard
  /** Of the address that is in use now: a change of the address replaces `accounts`. */
  readonly currentAccounts: () => Accounts
}
