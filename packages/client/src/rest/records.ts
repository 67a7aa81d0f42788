import { z } from "zod"
import { EmptyReasonSchema, SourceSchema, SourcesSchema } from "./source.ts"

/** The body of every type that is a list of records. */
export const recordsOf = <RecordSchema extends z.ZodType>(record: RecordSchema) =>
  z.object({
    records: z.array(record).meta({ description: "Newest first" }),
    count: z.int().meta({ description: "The number of records", example: 1 }),
    empty_reason: EmptyReasonSchema,
    source: SourceSchema,
    sources: SourcesSchema,
  })
