import { z } from "zod"
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject, ZodOpenApiResponseObject } from "zod-openapi"
import { ALWAYS, type FailureName, failures } from "./responses.ts"

const SESSION = [{ session: [] }]
export const SET_COOKIE = { "Set-Cookie": z.string().meta({ description: "The session: HttpOnly, SameSite=Lax" }) }

/** Failures of every operation with a body. */
export const BODY_FAILURES = ["payloadTooLarge", "unsupportedMediaType"] as const

/** What one route does, without what many routes share. */
export interface Operation
  extends Pick<ZodOpenApiOperationObject, "summary" | "description" | "requestParams" | "requestBody"> {
  readonly id: string
  /** @default "Account" */
  readonly tag?: "Account" | "Connections" | "Service"
  /** @default it needs a session */
  readonly isPublic?: true
  /** Its JSON body, which the service may refuse before it reads it. */
  readonly body?: NonNullable<ZodOpenApiOperationObject["requestBody"]>
  readonly responses: Readonly<Record<string, ZodOpenApiResponseObject>>
  readonly failures: readonly FailureName[]
}

/** The paths of operations that are named by method and path, like `GET /api/account`. */
export function pathsOf(operations: Readonly<Record<string, Operation>>): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {}
  for (const [route, described] of Object.entries(operations)) {
    const [method = "", path = ""] = route.split(" ")
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(described) }
  }
  return paths
}

/** An operation with the responses that all have: internal errors, and refusals of the body if it has one. */
const operationOf = ({
  id,
  tag = "Account",
  isPublic,
  body,
  responses,
  failures: names,
  ...described
}: Operation): ZodOpenApiOperationObject => ({
  operationId: id,
  ...described,
  tags: [tag],
  security: isPublic ? [] : SESSION,
  ...(body && { requestBody: body }),
  responses: { ...responses, ...failures([...names, ...(body ? BODY_FAILURES : [])]), ...ALWAYS },
})
