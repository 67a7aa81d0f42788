import { addAuthorizeRoutes } from "../authorization/authorize.ts"
import type { VendorApi } from "../http/vendor-api.ts"
import { ouraAuthorization } from "./authorize.ts"
import { addOuraDataRoutes } from "./data-routes.ts"
import { addSubscriptionRoutes } from "./subscription-routes.ts"
import { addOuraTokenRoutes } from "./token.ts"
import type { OuraVendor } from "./vendor.ts"

/** Oura's OAuth endpoints, collections and subscriptions for the HTTP server. */
export function createOuraApi(vendor: OuraVendor): VendorApi {
  return {
    addRoutes(app) {
      addAuthorizeRoutes(app, ouraAuthorization(vendor))
      addOuraTokenRoutes(app, vendor)
      addOuraDataRoutes(app, vendor)
      addSubscriptionRoutes(app, vendor)
    },
    ownerOf: (token) => vendor.grants.ownerOf(token),
    rateLimitExceeded: () => vendor.rateLimiter.tooMany("application", 5000),
  }
}
