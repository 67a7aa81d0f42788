import type { Route } from "../plumbing/route.ts"
import type { SessionHandler } from "../plumbing/session.ts"
import { checkAddressHandler, setAddressHandler } from "./address-handlers.ts"
import type { OperationServices } from "./operation-services.ts"
import { readServiceHandler } from "./overview-handler.ts"
import { removeVendorAppHandler, setVendorAppHandler } from "./vendor-app-handlers.ts"
import { withOwner } from "./with-owner.ts"

/** The settings and the state of the installation, for its owner. */
export function serviceRoutes(services: OperationServices): Route[] {
  const owner = (handle: SessionHandler) => withOwner(services.context, services.accounts, handle)
  return [
    { method: "GET", path: "/api/service", handle: owner(readServiceHandler(services)) },
    { method: "POST", path: "/api/service/address/check", handle: owner(checkAddressHandler(services)) },
    { method: "PUT", path: "/api/service/address", handle: owner(setAddressHandler(services)) },
    { method: "PUT", path: "/api/service/vendors/:provider", handle: owner(setVendorAppHandler(services)) },
    { method: "DELETE", path: "/api/service/vendors/:provider", handle: owner(removeVendorAppHandler(services)) },
  ]
}
