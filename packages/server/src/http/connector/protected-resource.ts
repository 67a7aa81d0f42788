import { HEALTH_SCOPES } from "@restwell/core"
import { CONNECTOR_PATH, resourceOf } from "../../oauth/addresses.ts"
import type { Handler } from "../plumbing/route.ts"

/** Paths of the connector's metadata: its own, and the root for clients that look only there. RFC 9728 3.1 */
export const RESOURCE_METADATA_PATH = `/.well-known/oauth-protected-resource${CONNECTOR_PATH}`
export const ROOT_RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource"

/** GET of the protected resource metadata. RFC 9728 2 */
export function protectedResourceHandler(baseUrl: string): Handler {
  const metadata = {
    resource: resourceOf(baseUrl),
    authorization_servers: [baseUrl],
    scopes_supported: HEALTH_SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: "Restwell",
    resource_documentation: `${baseUrl}/docs`,
  }
  return async (_request, reply) => reply.header("cache-control", "public, max-age=3600").send(metadata)
}
