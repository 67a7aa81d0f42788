import { z } from "zod"
import { createDocument } from "zod-openapi"
import { accountPaths } from "./account-operations.ts"
import { StatusResponseSchema } from "./account-schemas.ts"
import { connectionPaths } from "./connection-operations.ts"
import { healthOperation, journalOperation } from "./health-operation.ts"
import { importPaths } from "./import-operations.ts"
import { insightPaths } from "./insight-operations.ts"
import { pathsOf } from "./operation.ts"
import { peoplePaths } from "./people-operations.ts"
import { success } from "./responses.ts"
import { signInPaths } from "./sign-in-operations.ts"
import { webhookPaths } from "./webhook-operation.ts"

export type OpenApiDocument = ReturnType<typeof createDocument>

const servicePaths = pathsOf({
  "GET /openapi.json": {
    id: "readDescription",
    summary: "This description",
    description: "OpenAPI 3.1, made from the schemas that the service itself uses.",
    tag: "Service",
    isPublic: true,
    responses: {
      "200": success("The description", z.record(z.string(), z.unknown())),
      "304": { description: "Not changed since the ETag in If-None-Match" },
    },
    failures: ["methodNotAllowed"],
  },
  "GET /healthz": {
    id: "readLiveness",
    summary: "Check that the process runs",
    description: "For a supervisor that restarts a process without a response.",
    tag: "Service",
    isPublic: true,
    responses: { "200": success("It runs", StatusResponseSchema) },
    failures: ["methodNotAllowed"],
  },
  "GET /readyz": {
    id: "readReadiness",
    summary: "Check that the process is ready",
    description: "For a load balancer. 503 while the database is down or the process is stopping.",
    tag: "Service",
    isPublic: true,
    responses: {
      "200": success("Ready", StatusResponseSchema),
      "503": success("Not ready", StatusResponseSchema),
    },
    failures: ["methodNotAllowed"],
  },
})

/** Browsers accept a cookie with this prefix over https only. RFC 6265bis 4.1.3.1 */
const sessionCookieOf = (baseUrl: string): string =>
  `${baseUrl.startsWith("https:") ? "__Secure-" : ""}restwell.session_token`

/** Returns the OpenAPI 3.1 document of the HTTP API, made from the schemas that parse and type it. Spec 4.3 */
export const describeApi = ({ baseUrl, version }: { baseUrl: string; version: string }): OpenApiDocument =>
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
      { name: "Connections", description: "The vendors of the data, with a session" },
      { name: "Service", description: "The service itself" },
    ],
    paths: {
      "/api/v1/health": { get: healthOperation },
      "/api/v1/journal": { get: journalOperation },
      ...insightPaths,
      ...signInPaths,
      ...accountPaths,
      ...connectionPaths,
      ...peoplePaths,
      ...importPaths,
      ...webhookPaths,
      ...servicePaths,
    },
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "Exactly the word Bearer, one space, the key" },
        session: { type: "apiKey", in: "cookie", name: sessionCookieOf(baseUrl), description: "Set at sign-in" },
      },
    },
  })
