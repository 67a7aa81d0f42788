import { type Context, databaseTrouble } from "@restwell/core"
import type { Provider } from "oidc-provider"
import { AUTHORIZATION_PATHS } from "./addresses.ts"

const RETRY_AFTER_SECONDS = "2"

/** Logs the library's internal errors. The token endpoint answers 503 while the database is down. */
export function reportErrors(provider: Provider, logger: Context["logger"]): void {
  provider.on("server_error", (koa, error) => {
    logger.error({ err: error, path: koa.path }, "authorization server")
    const trouble = databaseTrouble(error)
    if (trouble === undefined || koa.path !== AUTHORIZATION_PATHS.token) return
    koa.status = 503
    koa.set("retry-after", RETRY_AFTER_SECONDS)
    koa.body = { error: "temporarily_unavailable", error_description: trouble }
  })
  // Koa's own handler writes to the terminal.
  provider.onerror = (error) => logger.error({ err: error }, "authorization server")
}
