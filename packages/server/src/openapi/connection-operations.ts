import { SyncResponseSchema } from "@restwell/client"
import { z } from "zod"
import { pathsOf } from "./operation.ts"
import { success } from "./responses.ts"

const path = z.object({ provider: z.string().meta({ description: "The vendor's name", example: "whoop" }) })
const redirect = (description: string) => ({
  description,
  headers: z.object({ Location: z.string().meta({ description: "Where to go" }) }),
})

/** Connecting and disconnecting vendors. DESIGN section 4, "Paths" */
export const connectionPaths = pathsOf({
  "GET /api/connections/{provider}/authorize": {
    id: "authorizeConnection",
    summary: "Connect a vendor",
    description:
      "Open it in the browser that is signed in. It redirects to the vendor's page, which comes back to the callback.",
    tag: "Connections",
    requestParams: { path },
    responses: { "302": redirect("To the vendor's page") },
    failures: ["notSignedIn", "noProvider", "unavailable"],
  },
  "GET /api/connections/{provider}/callback": {
    id: "completeConnection",
    summary: "Come back from the vendor",
    description:
      "The vendor redirects the browser here. Stores the grant and starts fetching, newest days first. Unless the operator " +
      "allows it, a vendor account that is connected to another account is refused.",
    tag: "Connections",
    requestParams: {
      path,
      query: z.object({
        state: z.string().optional().meta({ description: "The state of the authorization" }),
        code: z.string().optional().meta({ description: "The vendor's code" }),
        error: z.string().optional().meta({ description: "The vendor's refusal" }),
      }),
    },
    responses: { "302": redirect("To the dashboard") },
    failures: ["invalidRequest", "notSignedIn", "noProvider", "unavailable"],
  },
  "POST /api/connections/{provider}/sync": {
    id: "syncConnection",
    summary: "Sync now",
    description:
      "Requests a sync of the newest days, which runs in the background: once a minute. While a sync of the connection waits or runs, a " +
      "request joins it.",
    tag: "Connections",
    requestParams: { path },
    responses: { "202": success("Requested", SyncResponseSchema) },
    failures: ["invalidRequest", "notSignedIn", "forbidden", "noProvider", "tooOften", "unavailable"],
  },
  "DELETE /api/connections/{provider}": {
    id: "deleteConnection",
    summary: "Disconnect a vendor",
    description:
      "Revokes the grant here and at the vendor. Keeps the stored records for a later connect, or deletes them with `data=delete`.",
    tag: "Connections",
    requestParams: {
      path,
      query: z.object({
        data: z
          .enum(["keep", "delete"])
          .default("keep")
          .meta({ description: "Whether to keep or delete the stored records" }),
      }),
    },
    responses: { "204": { description: "Disconnected" } },
    failures: ["invalidRequest", "notSignedIn", "forbidden", "noProvider", "unavailable"],
  },
})
