import { z } from "zod"
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from "zod-openapi"
import { ALWAYS, type FailureName, failures } from "./responses.ts"

export type Tag = "Health" | "Account" | "Connections" | "Service"

/**
 * Who may call an endpoint. The handler itself asks for a `key`, for the token of a `push` or a `share`, and for a `token` of an assistant or of the
 * operator. `accounts` is the person
 * who is signed in, whom the operation of accounts recognizes by itself.
 */
export type Access = "anybody" | "key" | "push" | "share" | "token" | "accounts" | "session" | "owner"

/** What an endpoint is, before anybody describes it. */
export interface Called {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  /** With names like `:id` for the parts that vary. */
  readonly path: string
  readonly access: Access
  /** Takes changes from pages of any site, because it reads no session cookie. @default only from our own pages */
  readonly fromAnySite?: true
  /**
   * What it reads as a body: JSON, a form or JSON, the bytes as they came, a form with a file, or JSON that the handler reads while it
   * arrives. @default "json"
   */
  readonly bodyType?: "json" | "form" | "bytes" | "file" | "stream"
}

/** What the OpenAPI document and the reference say about an endpoint, without what follows from `Called`. */
export interface Description extends Pick<ZodOpenApiOperationObject, "requestBody"> {
  readonly id: string
  readonly summary: string
  readonly description: string
  readonly tag?: Tag
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly headers?: z.ZodObject
  readonly responses: Readonly<Record<string, ZodOpenApiResponseObject>>
  /** Failures that do not follow from its callers and from what it reads. */
  readonly failures?: readonly FailureName[]
}

export type DescribedEndpoint = Called & Description

/** The header of a response that signs in or out. */
export const SET_COOKIE = { "Set-Cookie": z.string().meta({ description: "The session: HttpOnly, SameSite=Lax" }) }

const SECURITY: Readonly<Record<Access, Record<string, []>[]>> = {
  anybody: [],
  key: [{ apiKey: [] }],
  push: [{ ingestToken: [] }],
  share: [{ shareToken: [] }],
  token: [],
  accounts: [{ session: [] }],
  session: [{ session: [] }],
  owner: [{ session: [] }],
}

const FAILURES_OF_ACCESS: Readonly<Record<Access, readonly FailureName[]>> = {
  anybody: [],
  key: ["unauthorized", "unavailable"],
  push: ["notPusher", "unavailable"],
  share: ["notShared", "unavailable"],
  token: [],
  accounts: ["unavailable"],
  session: ["notSignedIn", "unavailable"],
  owner: ["notSignedIn", "notOwner", "unavailable"],
}

/** Every change may have a body, wanted or not, and may come from another site. */
function failuresOfChange({ method, fromAnySite, bodyType, requestBody }: DescribedEndpoint): FailureName[] {
  if (method === "GET") return []
  return [
    ...(requestBody ? (["invalidRequest"] as const) : []),
    "payloadTooLarge",
    ...(bodyType === "bytes" ? [] : (["unsupportedMediaType"] as const)),
    ...(fromAnySite ? [] : (["forbidden"] as const)),
  ]
}

/** The operation of an endpoint, with the failures that follow from who may call it and what it reads. */
export function operationOf(endpoint: DescribedEndpoint): ZodOpenApiOperationObject {
  const { access, id, summary, description, tag = "Account", params, query, headers, requestBody } = endpoint
  const names = [...failuresOfChange(endpoint), ...FAILURES_OF_ACCESS[access], ...(endpoint.failures ?? [])]
  return {
    operationId: id,
    summary,
    description,
    tags: [tag],
    security: SECURITY[access],
    // Without any, the document has no list of them.
    ...((params ?? query ?? headers) && {
      requestParams: {
        ...(params && { path: params }),
        ...(query && { query }),
        ...(headers && { header: headers }),
      },
    }),
    ...(requestBody && { requestBody }),
    responses: { ...failures(names), ...endpoint.responses, ...ALWAYS },
  }
}

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
        shareToken: { type: "http", scheme: "bearer", description: "The token of a share, which opens its report" },
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
