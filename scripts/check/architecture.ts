/** The rules of ARCHITECTURE.md that a program can check. Each rule is one file of this folder. */
import { join } from "node:path"
import { directQueryFaults } from "./direct-queries.ts"
import { importCycleFaults } from "./import-cycles.ts"
import { layerFaults, testImportFaults } from "./layers.ts"
import { lostCommentFaults } from "./lost-comments.ts"
import { namedFileFaults } from "./named-files.ts"
import { namedVendorFaults } from "./named-vendors.ts"
import { privateDocumentFaults } from "./private-documents.ts"
import { readSourceFiles, readTestFiles } from "./source-files.ts"
import { timeReadFaults } from "./time-reads.ts"
import { timerFaults } from "./timers.ts"

const REPOSITORY = join(import.meta.dirname, "../..")

/** Returns every fault as one line: `file: what is wrong`. */
export async function architectureFaults(root = REPOSITORY): Promise<string[]> {
  const files = await readSourceFiles(root)
  const tests = await readTestFiles(root)
  return [
    ...[layerFaults, timeReadFaults, timerFaults, directQueryFaults, namedVendorFaults].flatMap((rule) =>
      files.flatMap(rule),
    ),
    ...tests.flatMap(testImportFaults),
    ...[...files, ...tests].flatMap(lostCommentFaults),
    ...importCycleFaults(files),
    ...namedFileFaults(files),
    ...(await privateDocumentFaults(root)),
  ]
}
