import { Readable } from "node:stream"
import {
  type Context,
  EXPORTED_TYPES,
  exportAccount,
  exportCsv,
  InvalidRequest,
  recordSecurityEvent,
} from "@restwell/core"
import { z } from "zod"
import { networkOf } from "../../network/network-of.ts"
import { parseSearch } from "../plumbing/query-parameters.ts"
import type { SessionHandler } from "../plumbing/session.ts"

const ExportSchema = z.strictObject({
  format: z.enum(["json", "csv"], { error: "must be json or csv" }).default("json"),
  type: z.enum(EXPORTED_TYPES, { error: `must be one of ${EXPORTED_TYPES.join(", ")}` }).optional(),
})

/** GET /api/account/export: one JSON document of everything, or a table of one type. Streams while it reads. */
export const exportHandler =
  (context: Context): SessionHandler =>
  async (session, reply, request) => {
    const { format, type } = parseSearch(request, ExportSchema)
    if (format === "csv" && type === undefined)
      throw new InvalidRequest(`a table holds one type: add type=${EXPORTED_TYPES.join("|")}`, "type")
    const network = networkOf(request.ip)
    const detail = format === "csv" ? `csv ${type}` : format
    await recordSecurityEvent(context, session.userId, { type: "data_exported", detail, network })
    const [file, contentType, pieces] =
      format === "csv" && type !== undefined
        ? [`restwell-${type}.csv`, "text/csv", exportCsv(context, session.userId, type)]
        : ["restwell-export.json", "application/json", exportAccount(context, session.userId)]
    return reply
      .headers({
        "content-type": `${contentType}; charset=utf-8`,
        "content-disposition": `attachment; filename="${file}"`,
      })
      .send(Readable.from(pieces))
  }
