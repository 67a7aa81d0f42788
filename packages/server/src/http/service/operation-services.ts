import type { Context, Secrets } from "@restwell/core"
import type { Accounts } from "../../accounts/accounts.ts"
import type { Config } from "../../config/config.ts"
import type { LiveSettings } from "../../config/live-settings.ts"

/** What the handlers of the page Service call. */
export interface OperationServices {
  readonly context: Context
  readonly accounts: Accounts
  readonly baseUrl: string
  readonly live: LiveSettings
  readonly secrets: () => Secrets
  readonly config: Pick<Config, "dataDir" | "databaseUrl" | "vendors" | "vendorEnvironment">
}
