import type { Secrets } from "../crypto/token-cipher.ts"
import { hasMigration } from "../store/migrate.ts"
import { type BackupHeader, newer, readParts } from "./parts.ts"
import { damaged, type ReadOptions } from "./read-blocks.ts"

/** What a complete and undamaged backup file says about itself. */
export interface VerifiedBackup {
  readonly header: BackupHeader
  /** The operator's secrets when it was made, the current one first. Undefined if it was made without. */
  readonly secrets: Secrets | undefined
  /** Rows of each table. */
  readonly rows: ReadonlyMap<string, number>
}

/** Reads a whole backup file. @throws {UnusableBackup} for one that cannot be restored by any program, or needs a newer one */
export async function verifyBackup(path: string, options: ReadOptions = {}): Promise<VerifiedBackup> {
  let header: BackupHeader | undefined
  let secrets: Secrets | undefined
  const rows = new Map<string, number>()
  let table = ""
  for await (const part of readParts(path, options)) {
    if (part.kind === "header") header = part.header
    else if (part.kind === "secrets") secrets = part.secrets
    else if (part.kind === "table") table = part.name
    else if (part.kind === "tableEnd") rows.set(table, part.rows)
  }
  if (!header || header.tables.some(({ name }) => !rows.has(name))) throw damaged(path, 0)
  if (!header.migrations.every(hasMigration)) throw newer(header.program)
  return { header, secrets, rows }
}
