import { addAuthorizeRoutes } from "../authorization/authorize.ts"
import type { VendorApi } from "../http/vendor-api.ts"
import { whoopAuthorization } from "./authorize.ts"
import { addDataRoutes } from "./data-routes.ts"
import { tooManyRequests } from "./rate-limit.ts"
import { addTokenRoute } from "./token.ts"
import type { Vendor } from "./vendor.ts"

/** WHOOP's OAuth endpoints and data API for the HTTP server. */
export function createWhoopApi(vendor: Vendor): VendorApi {
  const { grants, rateLimiter, settings } = vendor
  return {
    addRoutes(app) {
      addAuthorizeRoutes(app, whoopAuthorization(vendor))
      addTokenRoute(app, vendor)
      addDataRoutes(app, vendor)
    },
    ownerOf: (token) => grants.ownerOf(token),
    rateLimitExceeded: () =>
      tooManyRequests({ ...rateLimiter.headers(settings.clientId), "X-RateLimit-Remaining": "0" }),
  }
}
