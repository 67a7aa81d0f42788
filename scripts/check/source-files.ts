import { glob, readFile } from "node:fs/promises"
import { dirname, join, matchesGlob, normalize } from "node:path"

export interface SourceFile {
  /** Relative to the repository. */
  readonly path: string
  readonly text: string
  /** Module names as written, those of type imports, re-exports and `import()` included. */
  readonly imports: readonly string[]
}

/** Files that a rule does not apply to, as globs of paths, and why. */
export interface Exception {
  readonly files: string
  readonly reason: string
}

const STATIC_IMPORT = /^\s*(?:import|export)(?:\s[^"'=;]*?\bfrom)?\s*["']([^"']+)["']/gm
const DYNAMIC_IMPORT = /\bimport\(\s*["']([^"']+)["']/g

/** Reads the sources of all packages, without their tests. */
export async function readSourceFiles(root: string): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  for await (const path of glob("packages/*/src/**/*.{ts,tsx}", { cwd: root })) {
    if (/\.test(?:-d)?\.tsx?$/.test(path)) continue
    const text = await readFile(join(root, path), "utf8")
    files.push({ path, text, imports: importsOf(text) })
  }
  return files.sort((left, right) => (left.path < right.path ? -1 : 1))
}

const importsOf = (text: string): string[] =>
  [STATIC_IMPORT, DYNAMIC_IMPORT].flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = ""]) => name))

/** Returns the package's folder name: `core` for `packages/core/src/index.ts`. */
export const packageOf = (path: string): string => path.split("/")[1] ?? ""

/** Returns the repository path that a relative import names. */
export const resolveImport = (path: string, name: string): string => normalize(join(dirname(path), name))

export const isExcepted = (path: string, exceptions: readonly Exception[]): boolean =>
  exceptions.some(({ files }) => matchesGlob(path, files))
