import { AccessLogResponseSchema, SecurityLogResponseSchema } from "@restwell/client"
import { z } from "zod"
import type { ZodOpenApiPathsObject } from "zod-openapi"
import { ALWAYS, failure, success } from "./responses.ts"

const page = {
  tags: ["Account"],
  security: [{ session: [] }],
  requestParams: {
    query: z.object({
      before: z.string().optional().meta({ description: "`next` of the page before", example: "4711" }),
    }),
  },
}
const refusals = {
  "400": failure("invalidRequest"),
  "401": failure("notSignedIn"),
  "503": failure("unavailable"),
  ...ALWAYS,
}

/** What is written down for the owner of an account. */
export const auditPaths: ZodOpenApiPathsObject = {
  "/api/account/access-log": {
    get: {
      operationId: "readAccessLog",
      summary: "Read who read what",
      description:
        "Every reading by the API key and by assistants in the last 90 days, the newest first, 100 a page: who, what, when, which dates, how many " +
        "records. It holds no figure. Answers with 304 and readings at the dashboard are not in it, nor are refusals of the key.",
      ...page,
      responses: { "200": success("A page of the log", AccessLogResponseSchema), ...refusals },
    },
  },
  "/api/account/security-log": {
    get: {
      operationId: "readSecurityLog",
      summary: "Read what happened to the account",
      description:
        "Sign-ins and sign-outs, passwords, passkeys, keys, assistants, connections and exports of the last 90 days, the newest first, 100 a page.",
      ...page,
      responses: { "200": success("A page of the log", SecurityLogResponseSchema), ...refusals },
    },
  },
}
