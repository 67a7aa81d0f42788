import { type VendorAppCheck, VendorAppCheckSchema, VendorAppRequestSchema } from "@restwell/client"
import { sourceName } from "@restwell/client/figures"
import { Conflict, checkApp, InvalidRequest, NotFound } from "@restwell/core"
import { type OauthVendor, vendorOf } from "@restwell/providers"
import type { FastifyRequest } from "fastify"
import type { Session } from "../../accounts/session.ts"
import { prefixOf, readVendorSettings } from "../../config/vendor-settings.ts"
import { createVendors } from "../../config/vendors.ts"
import { jsonBody, success } from "../../openapi/responses.ts"
import { VENDOR_PARAMS } from "../../openapi/vendor-params.ts"
import { waitInRealTime } from "../../process/wait.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { parseBody, pathParameter } from "../plumbing/requests.ts"
import { type OperationServices, storeSettings } from "./settings.ts"

const TIMEOUT_MS = 15_000

const changeOf = (session: Session, request: FastifyRequest, provider: string) =>
  ({ session, request, subject: provider, type: "vendor_app_changed" }) as const

/** @throws {NotFound} for an unknown vendor @throws {Conflict} for one that the environment sets */
function changeableVendorOf(
  { config }: OperationServices,
  request: FastifyRequest,
): { readonly provider: string; readonly vendor: OauthVendor } {
  const provider = pathParameter(request, "provider")
  const vendor = vendorOf(provider)
  if (!vendor) throw new NotFound(`${provider} is no vendor of this version`)
  if (vendor.access === "key")
    throw new NotFound(`${provider} needs no app, people enter their own key on the page Connections`)
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
  return adapter?.access === "oauth" ? checkApp(adapter) : "unknown"
}

/** The apps at vendors, for the owner. */
export const vendorAppEndpoints = defineEndpoints<OperationServices>("Service", [
  {
    method: "PUT",
    path: "/api/service/vendors/:provider",
    access: "owner",
    id: "setVendorApp",
    summary: "Set the app at a vendor",
    description: "For the owner, unless the environment sets it. Tested at the vendor, sealed, and used at once.",
    params: VENDOR_PARAMS,
    requestBody: jsonBody(VendorAppRequestSchema),
    responses: { "200": success("Stored", VendorAppCheckSchema) },
    failures: ["noVendor", "conflict"],
    // Tests the app's credentials, and seals them in the database. No answer contains them.
    handle: async (services, { session, request }): Promise<VendorAppCheck> => {
      const { provider, vendor } = changeableVendorOf(services, request)
      const { client_id, client_secret, portal } = parseBody(request, VendorAppRequestSchema)
      const prefix = prefixOf(provider)
      const values = {
        [`${prefix}CLIENT_ID`]: client_id,
        [`${prefix}CLIENT_SECRET`]: client_secret,
        ...(vendor.formerAppsPage !== undefined && { [`${prefix}PORTAL`]: portal ?? "current" }),
      }
      const check = await checkValues(services, provider, values)
      if (check === "refused")
        throw new InvalidRequest(
          `${sourceName(provider)} does not accept these credentials: copy both again from the page of your app`,
          "client_secret",
        )
      await storeSettings(services, changeOf(session, request, provider), values)
      return { check }
    },
  },
  {
    method: "DELETE",
    path: "/api/service/vendors/:provider",
    access: "owner",
    id: "removeVendorApp",
    summary: "Remove the app at a vendor",
    description: "For the owner. Connections stay, and are not synced without an app.",
    params: VENDOR_PARAMS,
    responses: { "204": { description: "Removed" } },
    failures: ["noVendor", "conflict"],
    // Connections stay, and are not synced until the vendor has an app again.
    handle: async (services, { session, reply, request }) => {
      const { provider } = changeableVendorOf(services, request)
      const prefix = prefixOf(provider)
      const names = ["CLIENT_ID", "CLIENT_SECRET", "PORTAL"].map((name) => [prefix + name, null] as const)
      await storeSettings(services, changeOf(session, request, provider), Object.fromEntries(names))
      return reply.code(204).send()
    },
  },
])
