import { type VendorAppCheck, VendorAppRequestSchema } from "@restwell/client"
import { Conflict, checkApp, InvalidRequest, NotFound, recordSecurityEvent, writeServiceSettings } from "@restwell/core"
import { VENDORS, type Vendor } from "@restwell/providers"
import type { FastifyRequest } from "fastify"
import type { Session } from "../../accounts/session.ts"
import { prefixOf, readVendorSettings } from "../../config/vendor-settings.ts"
import { networkOf } from "../../network/network-of.ts"
import { waitInRealTime } from "../../time/wait.ts"
import { createVendors } from "../../vendors/create-vendors.ts"
import { parseBody } from "../plumbing/parse-body.ts"
import { pathParameter } from "../plumbing/query-parameters.ts"
import type { SessionHandler } from "../plumbing/session.ts"
import type { OperationServices } from "./operation-services.ts"

const TIMEOUT_MS = 15_000

/** PUT /api/service/vendors/{provider}: tests the app's credentials, and seals them in the database. No answer contains them. */
export const setVendorAppHandler =
  (services: OperationServices): SessionHandler =>
  async (session, _reply, request): Promise<VendorAppCheck> => {
    const { provider, vendor } = vendorOf(services, request)
    const { client_id, client_secret, portal } = parseBody(request, VendorAppRequestSchema)
    const prefix = prefixOf(provider)
    const values = {
      [`${prefix}CLIENT_ID`]: client_id,
      [`${prefix}CLIENT_SECRET`]: client_secret,
      ...(vendor.hasLegacyPortal && { [`${prefix}PORTAL`]: portal ?? "current" }),
    }
    const check = await checkValues(services, provider, values)
    if (check === "refused")
      throw new InvalidRequest(
        `${vendor.displayName} does not accept these credentials: copy both again from the page of your app`,
        "client_secret",
      )
    await store(services, session, request, provider, values)
    return { check }
  }

/** DELETE /api/service/vendors/{provider}: connections stay, and are not synced until the vendor has an app again. */
export const removeVendorAppHandler =
  (services: OperationServices): SessionHandler =>
  async (session, reply, request) => {
    const { provider } = vendorOf(services, request)
    const prefix = prefixOf(provider)
    const names = ["CLIENT_ID", "CLIENT_SECRET", "PORTAL"].map((name) => [prefix + name, null] as const)
    await store(services, session, request, provider, Object.fromEntries(names))
    return reply.code(204).send()
  }

async function store(
  { context, live }: OperationServices,
  { userId }: Session,
  request: FastifyRequest,
  provider: string,
  values: Readonly<Record<string, string | null>>,
): Promise<void> {
  await writeServiceSettings(context, values)
  const network = networkOf(request.ip)
  await recordSecurityEvent(context, userId, { type: "vendor_app_changed", detail: provider, network })
  await live.refresh()
}

/** @throws {NotFound} for an unknown vendor @throws {Conflict} for one that the environment sets */
function vendorOf(
  { config }: OperationServices,
  request: FastifyRequest,
): { readonly provider: string; readonly vendor: Vendor } {
  const provider = pathParameter(request, "provider")
  const known: readonly (readonly [string, Vendor])[] = Object.entries(VENDORS)
  const vendor = known.find(([name]) => name === provider)?.[1]
  if (!vendor) throw new NotFound(`${provider} is no vendor of this version`)
  if (config.vendors.has(provider))
    throw new Conflict(`${prefixOf(provider)}CLIENT_ID in the environment sets this app, and takes precedence`)
  return { provider, vendor }
}

async function checkValues(
  { config, context: { database, clock } }: OperationServices,
  provider: string,
  values: Readonly<Record<string, string>>,
): Promise<"accepted" | "refused" | "unknown"> {
  const { vendors } = readVendorSettings({ ...values, ...config.vendorEnvironment })
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const adapter = createVendors({ vendors: () => vendors, database, clock, wait: waitInRealTime, signal })
    .adapters()
    .get(provider)
  return adapter ? checkApp(adapter) : "unknown"
}
