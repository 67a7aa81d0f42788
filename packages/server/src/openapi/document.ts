import { createDocument, type ZodOpenApiPathsObject } from "zod-openapi"
import { type DescribedEndpoint, operationOf } from "./operation.ts"

export type OpenApiDocument = ReturnType<typeof createDocument>

/** Browsers accept a cookie with this prefix over https only. RFC 6265bis 4.1.3.1 */
const sessionCookieOf = (baseUrl: string): string =>
  `${baseUrl.startsWith("https:") ? "__Secure-" : ""}restwell.session_token`

export interface Described {
  readonly baseUrl: string
  readonly version: string
  readonly endpoints: readonly DescribedEndpoint[]
}

/** Returns the OpenAPI 3.1 document of the HTTP API, made from the schemas that parse and type it. */
export const describeApi = ({ baseUrl, version, endpoints }: Described): OpenApiDocument =>
  createDocument({
    openapi: "3.1.1",
    info: {
      title: "Restwell",
      version,
      summary: "Your own wearable data from one GET request",
      description:
        "Read-only access to a person's own sleep, recovery, strain and workouts, normalised, from the service's own store, " +
        "synced with the vendor in the background.",
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: "The operator of this service", url: baseUrl },
    },
    servers: [{ url: baseUrl }],
    tags: [
      { name: "Health", description: "The data, with an API key" },
      { name: "Account", description: "The person's account and API key, with a session" },
      {
        name: "Connections",
        description: "The vendors of the data, with a session, and pushes, with a token of their own",
      },
      { name: "Service", description: "The service itself" },
    ],
    paths: pathsOf(endpoints),
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "Exactly the word Bearer, one space, the key" },
        ingestToken: { type: "http", scheme: "bearer", description: "A token for pushes, which reads nothing" },
        session: { type: "apiKey", in: "cookie", name: sessionCookieOf(baseUrl), description: "Set at sign-in" },
      },
    },
  })

function pathsOf(endpoints: readonly DescribedEndpoint[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}")
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) }
  }
  return paths
}
