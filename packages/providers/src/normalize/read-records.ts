// From parsed JSON to a vendor's documented shapes.
// From parsed JSON to normalised records, the same for every vendor. A field that cannot be read or true is left out. A record that cannot be
// read, stored or true without it is set aside with the reason, and the rest of its page is used.
import { z } from "zod"
import { ContractViolation } from "../contract/errors.ts"
import {
  type Bound,
  type FieldCoverage,
  type Json,
  type LeftOutField,
  type NormalizedRecord,
  type Occurrence,
  RECORD_KINDS,
  type RecordKind,
  type RejectedRecord,
} from "../contract/records.ts"
import { known } from "./known.ts"
import { plausibleInstantOf, plausibleRecord } from "./plausible.ts"
import { toStorableJson, toStorableText, unstorablePath } from "./storable-text.ts"
import { usableOf } from "./usable-fields.ts"

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

/** A field of the normalised record, its source at the vendor, unit and method. */
type CoverageRow = readonly [field: string, source: string, unit?: string, method?: string]

/** What a vendor delivers, by the kind of record. */
export const coverageOf = (
  rows: Readonly<Record<FieldCoverage["kind"], readonly CoverageRow[]>>,
): readonly FieldCoverage[] =>
  ([...RECORD_KINDS, "profile"] as const).flatMap((kind) =>
    rows[kind].map(([field, source, unit, method]) => ({ kind, field, source, ...known({ unit, method }) })),
  )

/** An instant: ISO 8601 with `Z` or an offset. */
export const instant = z.string().transform((text, context) => {
  const at = plausibleInstantOf(text)
  if (at) return at
  context.addIssue({ code: "custom", message: "not an instant of this century" })
  return z.NEVER
})

/** How a vendor's records of one kind are read. */
interface RecordReader {
  /** Returns the normalised record, or what is wrong with its shape. */
  readonly read: (raw: Json) => NormalizedRecord | z.ZodError
  /** Reads the vendor's id from a record whose other fields may be wrong. */
  readonly idSchema: z.ZodType<string>
  /** Reads when a record was, whatever its other fields are. */
  readonly occurrenceOf: (raw: Json) => Occurrence | null
}

/** What a vendor's records are. */
export interface VendorRecords<Kind extends RecordKind = RecordKind> {
  readonly readers: Readonly<Record<Kind, RecordReader>>
  /** Names the vendor's fields in reasons. */
  readonly coverage: readonly FieldCoverage[]
  /** Bounds of the vendor's own scales, beside those of every vendor. */
  readonly bounds: readonly Bound[]
}

/**
 * Returns the reader of one kind, from the schema of the vendor's record and its normalisation.
 * @param setAside what a record that cannot be used still tells
 * @param essential fields that may be missing, and that cost the record where they are wrong
 */
export function recordReader<Schema extends z.ZodType>(
  schema: Schema,
  normalize: (wire: z.infer<Schema>, raw: Json) => NormalizedRecord,
  setAside: Pick<RecordReader, "idSchema" | "occurrenceOf">,
  essential?: readonly string[],
): RecordReader {
  return {
    read: (raw) => {
      const usable = usableOf(schema, raw, essential)
      if (usable instanceof z.ZodError) return usable
      const record = normalize(usable.value, raw)
      return usable.leftOut.length > 0 ? { ...record, leftOut: usable.leftOut } : record
    },
    ...setAside,
  }
}

export interface ReadRecords {
  readonly records: readonly NormalizedRecord[]
  readonly rejected: readonly RejectedRecord[]
}

/**
 * Returns every record, normalised or rejected, in the order of the page.
 * @param isRecord false for one without any figure, which is none. Where that is because its figures are wrong, it is rejected: its date would
 * otherwise look like one without data
 */
export function readRecords<Kind extends RecordKind>(
  vendor: VendorRecords<Kind>,
  kind: Kind,
  raws: readonly Json[],
  isRecord: (record: NormalizedRecord) => boolean = () => true,
): ReadRecords {
  const records: NormalizedRecord[] = []
  const rejected: RejectedRecord[] = []
  for (const raw of raws) {
    const record = readRecord(vendor, kind, raw)
    if (typeof record === "string") rejected.push(rejectedRecord(vendor, kind, raw, record))
    else if (isRecord(record)) records.push(record)
    else if (record.leftOut?.[0]) rejected.push(rejectedRecord(vendor, kind, raw, pathAndReason(record.leftOut[0])))
  }
  return { records, rejected }
}

/** Returns the record, or the reason why it is rejected. */
function readRecord<Kind extends RecordKind>(
  { readers, coverage, bounds }: VendorRecords<Kind>,
  kind: Kind,
  raw: Json,
): NormalizedRecord | string {
  // First: schemas and normalisation may not see such texts, and the payload is stored with the record.
  const unstorable = unstorablePath(raw)
  if (unstorable !== undefined)
    return `${shortened(unstorable)}: a NUL, half a character or too many levels, which cannot be stored`
  const record = readers[kind].read(raw)
  if (record instanceof z.ZodError) return reasonsOf(record)
  const plausible = plausibleRecord(record, bounds)
  const named = ({ field, reason }: LeftOutField) => ({ field: vendorPath(coverage, kind, field), reason })
  if ("fault" in plausible) return pathAndReason(named(plausible.fault))
  const { leftOut } = plausible.record
  return leftOut ? { ...plausible.record, leftOut: leftOut.map(named) } : plausible.record
}

/** A field and what is wrong with it, as reasons name it. */
const pathAndReason = ({ field, reason }: LeftOutField): string => `${field}: ${reason}`

/** The paths of a vendor's own fields are shorter. A key that somebody made up may have megabytes. */
const LONGEST_PATH = 100

const shortened = (path: string): string =>
  path.length > LONGEST_PATH ? `${toStorableText(path.slice(0, LONGEST_PATH))}...` : path

function rejectedRecord<Kind extends RecordKind>(
  { readers }: VendorRecords<Kind>,
  kind: Kind,
  raw: Json,
  reason: string,
): RejectedRecord {
  return {
    kind,
    providerId: readers[kind].idSchema.safeParse(raw).data ?? null,
    occurred: readers[kind].occurrenceOf(raw),
    reason,
    raw: toStorableJson(raw),
  }
}

/** Returns the path in the vendor's record of a normalised field, as far as the coverage declares it. */
function vendorPath(coverage: readonly FieldCoverage[], kind: RecordKind, field: string): string {
  const source = coverage.find(
    (declared) => declared.kind === kind && (field === declared.field || field.startsWith(`${declared.field}.`)),
  )?.source
  return source === undefined ? field : (/^[\w.]+/.exec(source)?.[0] ?? field)
}
