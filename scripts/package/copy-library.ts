import { cp } from "node:fs/promises"
import { basename, join } from "node:path"
import type { Placed } from "./plan-tree.ts"

/** Files of libraries that no program reads: types, source maps, documents. */
const UNUSED = /\.(map|[cm]?tsx?|flow|md|markdown|tsbuildinfo)$/i
const LEGAL = /^(licen[cs]e|copying|notice)/i
/** Folders at a library's root that its programs never import. */
const UNUSED_FOLDERS = new Set([
  ".github",
  ".vscode",
  "test",
  "tests",
  "__tests__",
  "benchmark",
  "benchmarks",
  "docs",
  "examples",
])

/** Copies a library as it is installed, without what only its developers use. Licences stay. */
export async function copyLibrary({ from, to }: Placed, target: string): Promise<void> {
  await cp(from, join(target, to), {
    recursive: true,
    filter: (path) => isUsed(path.slice(from.length + 1)),
  })
}

function isUsed(path: string): boolean {
  const [top = ""] = path.split("/")
  if (top === "node_modules" || UNUSED_FOLDERS.has(top)) return false
  return LEGAL.test(basename(path)) || !UNUSED.test(path)
}
