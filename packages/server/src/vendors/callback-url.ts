import type { CallbackUrlOf } from "@restwell/core"
import { VENDORS } from "@restwell/providers"
import type { EffectiveSettings } from "../config/live-settings.ts"

/** Where a vendor leads people back to after they have allowed the connection. */
export const redirectUrl = (baseUrl: string, provider: string): string =>
  `${baseUrl}/api/connections/${provider}/callback`

/**
 * Returns where each vendor sends its webhooks. A vendor's own servers reach only https addresses. Another server with its API, such as a
 * simulator, may reach any.
 */
export const callbackUrls =
  ({ current }: { current(): Pick<EffectiveSettings, "baseUrl" | "vendors"> }): CallbackUrlOf =>
  (provider) => {
    const { vendors, baseUrl } = current()
    const own = new Map(Object.entries(VENDORS)).get(provider)?.defaultBaseUrl
    const isOwn = vendors.get(provider)?.baseUrl === own
    return isOwn && !baseUrl.startsWith("https://") ? undefined : `${baseUrl}/api/webhooks/${provider}`
  }
