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

const SOURCES = "packages/*/src/**/*.{ts,tsx}"
const TESTS = ["{test,bench}/**/*.ts", "packages/*/test/**/*.ts", SOURCES]
const isTest = (path: string): boolean => !path.startsWith("packages/") || /\/test\/|\.test(?:-d)?\.tsx?$/.test(path)

/** Reads the sources of all packages, without their tests. */
export const readSourceFiles = (root: string): Promise<SourceFile[]> =>
  readFiles(root, [SOURCES], (path) => !isTest(path))

/** Reads tests and benchmarks, those of packages too. */
export const readTestFiles = (root: string): Promise<SourceFile[]> => readFiles(root, TESTS, isTest)

async function readFiles(root: string, globs: string[], isWanted: (path: string) => boolean): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  for await (const path of glob(globs, { cwd: root })) {
    if (!isWanted(path)) continue
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
