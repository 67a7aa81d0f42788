// From parsed JSON to a vendor's documented shapes.
import type { z } from "zod"
import { ContractViolation } from "../contract/errors.ts"
import type { Json } from "../contract/records.ts"

/** Returns an answer in its documented shape. @throws {ContractViolation} when it has another shape */
export function parseWhole<Schema extends z.ZodType>(schema: Schema, body: Json, operation: string): z.infer<Schema> {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const path = result.error.issues[0]?.path.join(".") ?? ""
  throw new ContractViolation(`${operation} answered in another shape: ${reasonsOf(result.error)}`, path, {
    cause: result.error,
  })
}

/** Returns the wrong paths and what is wrong there. The schemas' messages hold no values. */
export function reasonsOf(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join(".") || "record"}: ${issue.message}`).join("; ")
}
