import { z } from "zod"
import type { ZodOpenApiPathsObject } from "zod-openapi"
import { ALWAYS, failure } from "./responses.ts"

const VendorEventSchema = z
  .object({
    user_id: z.int().meta({ description: "The member, as in their profile" }),
    id: z.string().meta({ description: "Of the sleep or workout; a recovery is named by its sleep" }),
    type: z.string().meta({ description: "What has changed; a type that is not known is acknowledged" }),
    trace_id: z.string().optional().meta({ description: "The same when the event is sent again" }),
  })
  .meta({ id: "WhoopEvent" })

/** What vendors call. For operators, and for who stands in for a vendor. https://developer.whoop.com/docs/developing/webhooks */
export const webhookPaths: ZodOpenApiPathsObject = {
  "/api/webhooks/{provider}": {
    post: {
      operationId: "receiveWebhook",
      summary: "The vendor tells of a change",
      description:
        "The address to enter at the vendor's developer site. What the event names is read from the vendor a moment later. An event of a person who is not connected here, or of a type that is not known, is acknowledged all the same.",
      tags: ["Service"],
      security: [],
      requestParams: {
        path: z.object({ provider: z.string().meta({ description: "The vendor's name", example: "whoop" }) }),
        header: z.object({
          "X-WHOOP-Signature": z.string().meta({
            description: "Base64 of HMAC-SHA256 over the timestamp and the body, keyed with the app's secret",
          }),
          "X-WHOOP-Signature-Timestamp": z
            .string()
            .meta({ description: "Milliseconds since 1970, at most two hours ago", example: "1795071743001" }),
        }),
      },
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: VendorEventSchema,
            example: { user_id: 10129, id: "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11", type: "sleep.updated" },
          },
        },
      },
      responses: {
        "204": { description: "It is kept, or concerns nobody here" },
        "400": failure("invalidRequest"),
        "401": failure("notSigned"),
        "404": failure("noVendor"),
        "413": failure("payloadTooLarge"),
        "503": failure("unavailable"),
        ...ALWAYS,
      },
    },
  },
}
