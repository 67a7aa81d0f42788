import { z } from "zod"
import type { ZodOpenApiPathsObject } from "zod-openapi"
import { operation } from "./operation.ts"

/** Assistants with access. The connector and its authorization server describe themselves: MCP, RFC 8414, RFC 9728. */
export const assistantPaths: ZodOpenApiPathsObject = {
  "/api/account/assistants/{id}": {
    delete: operation({
      id: "revokeAssistant",
      summary: "Revoke an assistant's access",
      description: "Revokes its tokens at once. The assistant can ask again, and the person decides again.",
      session: true,
      requestParams: {
        path: z.object({
          id: z
            .string()
            .meta({ description: "The assistant's `id` in the account", example: "k3T9xVb2QpLw8sZr5NfYh7" }),
        }),
      },
      responses: { "204": { description: "Revoked" } },
      failures: ["notSignedIn", "forbidden", "noAssistant", "unavailable"],
    }),
  },
}
