import { readHealthAutoExport } from "./health-auto-export.ts"
import { type PushOptions, readPushedRows } from "./plain-push.ts"
import type { PushedTable } from "./pushed-table.ts"

interface PushFormat {
  /** The source of its rows. */
  readonly provider: string
  readonly read: (bytes: Buffer, options: PushOptions) => Promise<PushedTable>
}

/** What programs on phones send. */
export const PUSH_FORMATS = {
  rows: { provider: "phone", read: readPushedRows },
  health_auto_export: { provider: "apple_health", read: readHealthAutoExport },
} as const satisfies Readonly<Record<string, PushFormat>>

/** Returns the format of pushes of a source. Undefined for a source that nothing pushes. */
export const pushFormatOf = (provider: string): PushFormat | undefined =>
  Object.values(PUSH_FORMATS).find((format) => format.provider === provider)
