import { type Context, databaseTrouble } from "@restwell/core"
import type { Provider } from "oidc-provider"
import { AUTHORIZATION_PATHS } from "./addresses.ts"

const RETRY_AFTER_SECONDS = "2"

/** Faults of ours go to the log; a database that is away is said to be that. */
export function reportFaults(provider: Provider, logger: Context["logger"]): void {
  provider.on("server_error", (koa, error) => {
    logger.error({ err: error, path: koa.path }, "authorization server")
    const trouble = databaseTrouble(error)
    if (trouble === undefined || koa.path !== AUTHORIZATION_PATHS.token) return
    koa.status = 503
    koa.set("retry-after", RETRY_AFTER_SECONDS)
    koa.body = { error: "temporarily_unavailable", error_description: trouble }
  })
  // In place of Koa's own, which writes to the terminal.
  provider.onerror = (error) => logger.error({ err: error }, "authorization server")
}
