import type { Context } from "@restwell/core"
import type { Provider } from "oidc-provider"
import { isDatabaseDown } from "../database-down.ts"
import { AUTHORIZATION_PATHS } from "./addresses.ts"

const RETRY_AFTER_SECONDS = "2"

/** Faults of ours go to the log; a database that is away is said to be that. */
export function reportFaults(provider: Provider, logger: Context["logger"]): void {
  provider.on("server_error", (koa, error) => {
    logger.error({ err: error, path: koa.path }, "authorization server")
    if (!isDatabaseDown(error) || koa.path !== AUTHORIZATION_PATHS.token) return
    koa.status = 503
    koa.set("retry-after", RETRY_AFTER_SECONDS)
    koa.body = {
      error: "temporarily_unavailable",
      error_description: "the database does not answer, try again in a moment",
    }
  })
  // In place of Koa's own, which writes to the terminal.
  provider.onerror = (error) => logger.error({ err: error }, "authorization server")
}
