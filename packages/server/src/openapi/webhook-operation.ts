import { z } from "zod"
import { pathsOf } from "./operation.ts"

const VendorEventSchema = z
  .object({
    user_id: z.int().meta({ description: "The member, as in their profile" }),
    id: z.string().meta({ description: "Id of the sleep or workout. A recovery has the id of its sleep" }),
    type: z.string().meta({ description: "What has changed. An unknown type is acknowledged" }),
    trace_id: z.string().optional().meta({ description: "The same when the vendor repeats the event" }),
  })
  .meta({ id: "WhoopEvent" })

/** What vendors call, for operators and for simulators of a vendor. https://developer.whoop.com/docs/developing/webhooks */
export const webhookPaths = pathsOf({
  "POST /api/webhooks/{provider}": {
    id: "receiveWebhook",
    summary: "Receive a vendor's webhook",
    description:
      "Enter this URL on the vendor's developer site. The changed record is read from the vendor a moment later. Events of unknown people or types are acknowledged too.",
    tag: "Service",
    isPublic: true,
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
    responses: { "204": { description: "Stored, or not about anybody here" } },
    failures: ["invalidRequest", "notSigned", "noVendor", "payloadTooLarge", "unavailable"],
  },
})
