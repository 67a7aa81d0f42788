import { type ArchiveFile, readVendorArchive, UnreadableArchive } from "@restwell/providers"
import type { ImportKind } from "../store/import-tables.ts"
import { readRestwellExport } from "./restwell-export.ts"
import { type StagedItem, stagedItems } from "./staged-item.ts"

export interface ReadArchive {
  readonly kind: ImportKind
  readonly items: AsyncIterable<StagedItem>
}

const HEAD_BYTES = 512

/**
 * Detects the format of an archive by its content, and streams what it contains. @param now tells what may still be scored
 * @throws {UnreadableArchive}
 */
export async function readArchive(file: ArchiveFile, now: Date): Promise<ReadArchive> {
  const head = await file.read(0, HEAD_BYTES)
  if (head.length === 0) throw new UnreadableArchive(`${file.name} is empty`)
  const isZip = head.subarray(0, 2).toString("latin1") === "PK"
  if (!isZip && /^\ufeff?\s*\{/.test(head.toString("utf8")))
    return { kind: "restwell_export", items: readRestwellExport(file) }
  const archive = await readVendorArchive(file, { isZip, now })
  return { kind: archive.kind, items: stagedItems(archive) }
}
