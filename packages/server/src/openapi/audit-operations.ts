import { AccessLogResponseSchema, SecurityLogResponseSchema } from "@restwell/client"
import { z } from "zod"
import type { ZodOpenApiPathsObject } from "zod-openapi"
import { ALWAYS, failure, success } from "./responses.ts"

const page = {
  tags: ["Account"],
  security: [{ session: [] }],
  requestParams: {
    query: z.object({
      before: z.string().optional().meta({ description: "`next` of the previous page", example: "4711" }),
    }),
  },
}
const refusals = {
  "400": failure("invalidRequest"),
  "401": failure("notSignedIn"),
  "503": failure("unavailable"),
  ...ALWAYS,
}

/** The logs for the owner of an account. */
export const auditPaths: ZodOpenApiPathsObject = {
  "/api/account/access-log": {
    get: {
      operationId: "readAccessLog",
      summary: "Read the access log",
      description:
        "Every read with the API key and by assistants in the last 90 days, newest first, 100 per page: who, what, when, which dates, how many " +
        "records. It contains no health data. It leaves out 304 responses, reads by the dashboard and refused keys.",
      ...page,
      responses: { "200": success("A page of the log", AccessLogResponseSchema), ...refusals },
    },
  },
  "/api/account/security-log": {
    get: {
      operationId: "readSecurityLog",
      summary: "Read the security log",
      description:
        "Sign-ins, sign-outs and changes of passwords, passkeys, keys, assistants and connections, and exports, in the last 90 days, newest first, 100 per page.",
      ...page,
      responses: { "200": success("A page of the log", SecurityLogResponseSchema), ...refusals },
    },
  },
}
