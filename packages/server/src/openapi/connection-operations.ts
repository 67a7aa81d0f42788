import { SyncResponseSchema } from "@restwell/client"
import { z } from "zod"
import type { ZodOpenApiPathsObject } from "zod-openapi"
import { ALWAYS, failure, success } from "./responses.ts"

const SESSION = [{ session: [] }]
const path = z.object({ provider: z.string().meta({ description: "The vendor's name", example: "whoop" }) })
const redirect = (description: string) => ({
  description,
  headers: z.object({ Location: z.string().meta({ description: "Where to go" }) }),
})

/** Connecting vendors, and ending it. DESIGN section 4, "Paths". */
export const connectionPaths: ZodOpenApiPathsObject = {
  "/api/connections/{provider}/authorize": {
    get: {
      operationId: "authorizeConnection",
      summary: "Connect a vendor",
      description: "Open it in the browser that is signed in: it leads to the vendor's own page, and from there back.",
      tags: ["Connections"],
      security: SESSION,
      requestParams: { path },
      responses: {
        "302": redirect("To the vendor's page"),
        "401": failure("notSignedIn"),
        "404": failure("noProvider"),
        "503": failure("unavailable"),
        ...ALWAYS,
      },
    },
  },
  "/api/connections/{provider}/callback": {
    get: {
      operationId: "completeConnection",
      summary: "Come back from the vendor",
      description:
        "Where the vendor sends the person back to. Stores the grant and begins to fetch, the newest days first.",
      tags: ["Connections"],
      security: SESSION,
      requestParams: {
        path,
        query: z.object({
          state: z.string().optional().meta({ description: "As it was sent" }),
          code: z.string().optional().meta({ description: "The vendor's code" }),
          error: z.string().optional().meta({ description: "The vendor's refusal" }),
        }),
      },
      responses: {
        "302": redirect("Connected: to the start page"),
        "400": failure("invalidRequest"),
        "401": failure("notSignedIn"),
        "404": failure("noProvider"),
        "503": failure("unavailable"),
        ...ALWAYS,
      },
    },
  },
  "/api/connections/{provider}/sync": {
    post: {
      operationId: "syncConnection",
      summary: "Sync now",
      description: "Asks for a sync; it happens in the background.",
      tags: ["Connections"],
      security: SESSION,
      requestParams: { path },
      responses: {
        "202": success("Asked for", SyncResponseSchema),
        "400": failure("invalidRequest"),
        "401": failure("notSignedIn"),
        "403": failure("forbidden"),
        "404": failure("noProvider"),
        "503": failure("unavailable"),
        ...ALWAYS,
      },
    },
  },
  "/api/connections/{provider}": {
    delete: {
      operationId: "deleteConnection",
      summary: "Disconnect a vendor",
      description:
        "Ends the grant here and at the vendor. What was stored stays for a later connect, or goes with `data=delete`.",
      tags: ["Connections"],
      security: SESSION,
      requestParams: {
        path,
        query: z.object({
          data: z.enum(["keep", "delete"]).default("keep").meta({ description: "What becomes of the stored records" }),
        }),
      },
      responses: {
        "204": { description: "Disconnected" },
        "400": failure("invalidRequest"),
        "401": failure("notSignedIn"),
        "403": failure("forbidden"),
        "404": failure("noProvider"),
        "503": failure("unavailable"),
        ...ALWAYS,
      },
    },
  },
}
