import type { Context, Secrets } from "@restwell/core"
import type { Accounts } from "../../accounts/accounts.ts"
import type { LiveSettings } from "../../config/live-settings.ts"
import type { Dashboard } from "../../dashboard/dashboard.ts"
import type { Route } from "../plumbing/route.ts"
import type { FirstVisitServices } from "./first-visitor.ts"
import { createOwnerHandler, instanceHandler, readSetupHandler, setupPageHandler } from "./setup-handlers.ts"

export interface SetupServices extends FirstVisitServices {
  readonly context: Context
  readonly accounts: Accounts
  readonly baseUrl: string
  readonly live: LiveSettings
  readonly secrets: () => Secrets
  readonly dashboard: Dashboard
  /** Of the address that is in use now: a change of the address replaces `accounts`. */
  readonly currentAccounts: () => Accounts
}

/** The first steps of an installation. Nobody reaches them once it has an owner. */
export const setupRoutes = (services: SetupServices): Route[] => [
  { method: "GET", path: "/setup", handle: setupPageHandler(services) },
  { method: "GET", path: "/api/setup", handle: readSetupHandler(services) },
  // The handler checks the origin itself: before there is an address, people come by any name of the machine.
  { method: "POST", path: "/api/setup/owner", handle: createOwnerHandler(services), fromAnySite: true },
  { method: "GET", path: "/api/service/instance", handle: instanceHandler(services) },
]
