import { glob, readFile } from "node:fs/promises"
import { join } from "node:path"

const FILES = ["*.md", "{docs,packages,test,bench,scripts,deploy}/**/*.{ts,tsx,sql,css,md,yaml,yml}"]
const NOT_OURS = /(?:^|\/)(?:node_modules|dist)\//

/** Documents that only the first engineers had. */
const PRIVATE =
  /\b(?:DESIGN|CONTRACT|STYLE)(?:\.md|,? ["“]| section)|\b[Ss]pec \d|\bmerging\.md|\bnormalisation\.md|\breference\/\w+\.md/

const QUOTES_THEM = new Set(["scripts/check/private-documents.ts", "test/architecture.test.ts"])

/** A reader of the repository cannot look up what is not in it. */
export async function privateDocumentFaults(root: string): Promise<string[]> {
  const faults: string[] = []
  for await (const path of glob(FILES, { cwd: root, exclude: (name) => NOT_OURS.test(`${name}/`) })) {
    const named = NOT_OURS.test(path) ? undefined : PRIVATE.exec(await readFile(join(root, path), "utf8"))?.[0]
    if (named !== undefined && !QUOTES_THEM.has(path))
      faults.push(`${path}: names a document that readers do not have ("${named}"), cite a page of docs/`)
  }
  return faults
}
