import type { CallbackUrlOf } from "@restwell/core"
import { VENDORS } from "@restwell/providers"
import type { Config } from "../config/config.ts"

/**
 * Returns where each vendor sends its webhooks. A vendor's own servers reach only https addresses. Another server with its API, such as a
 * simulator, may reach any.
 */
export const callbackUrls =
  ({ vendors }: Pick<Config, "vendors">, baseUrl: string): CallbackUrlOf =>
  (provider) => {
    const own = new Map(Object.entries(VENDORS)).get(provider)?.defaultBaseUrl
    const isOwn = vendors.get(provider)?.baseUrl === own
    return isOwn && !baseUrl.startsWith("https://") ? undefined : `${baseUrl}/api/webhooks/${provider}`
  }
