import type { Route } from "../plumbing/route.ts"
import { createOwnerHandler, instanceHandler, readSetupHandler, setupPageHandler } from "./setup-handlers.ts"
import type { SetupServices } from "./setup-services.ts"

/** The first steps of an installation. Nobody reaches them once it has an owner. */
export const setupRoutes = (services: SetupServices): Route[] => [
  { method: "GET", path: "/setup", handle: setupPageHandler(services) },
  { method: "GET", path: "/api/setup", handle: readSetupHandler(services) },
  // The handler checks the origin itself: before there is an address, people come by any name of the machine.
  { method: "POST", path: "/api/setup/owner", handle: createOwnerHandler(services), fromAnySite: true },
  { method: "GET", path: "/api/service/instance", handle: instanceHandler(services) },
]
