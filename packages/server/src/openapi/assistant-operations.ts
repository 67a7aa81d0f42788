import { z } from "zod"
import type { ZodOpenApiPathsObject } from "zod-openapi"
import { ALWAYS, failure } from "./responses.ts"

const SESSION = [{ session: [] }]

/** The assistants that a person let in. The connector and its authorization server describe themselves: MCP, RFC 8414, RFC 9728. */
export const assistantPaths: ZodOpenApiPathsObject = {
  "/api/account/assistants/{id}": {
    delete: {
      operationId: "revokeAssistant",
      summary: "End what an assistant may read",
      description: "Its tokens are dead from the same moment. It can ask again; then the person decides anew.",
      tags: ["Account"],
      security: SESSION,
      requestParams: {
        path: z.object({
          id: z
            .string()
            .meta({ description: "The assistant's `id` in the account", example: "k3T9xVb2QpLw8sZr5NfYh7" }),
        }),
      },
      responses: {
        "204": { description: "Ended" },
        "401": failure("notSignedIn"),
        "403": failure("forbidden"),
        "404": failure("noAssistant"),
        "503": failure("unavailable"),
        ...ALWAYS,
      },
    },
  },
}
