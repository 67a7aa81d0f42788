import { HEALTH_SCOPES } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import { CONNECTOR_PATH, resourceOf } from "../../oauth/addresses.ts"

/** Where the metadata of the connector are: at its own path's place, and at the root for who looks only there. RFC 9728 3.1 */
export const RESOURCE_METADATA_PATH = `/.well-known/oauth-protected-resource${CONNECTOR_PATH}`
export const ROOT_RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource"

/** GET of the protected resource metadata. RFC 9728 2 */
export function protectedResourceDoor(baseUrl: string) {
  const metadata = {
    resource: resourceOf(baseUrl),
    authorization_servers: [baseUrl],
    scopes_supported: HEALTH_SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: "Restwell",
    resource_documentation: `${baseUrl}/docs`,
  }
  return async (_request: FastifyRequest, reply: FastifyReply) =>
    reply.header("cache-control", "public, max-age=3600").send(metadata)
}
