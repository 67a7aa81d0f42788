import { cp, glob, mkdir, readFile, writeFile } from "node:fs/promises"
import { stripTypeScriptTypes } from "node:module"
import { dirname, join } from "node:path"
import { init, parse } from "es-module-lexer"
import type { Placed } from "./plan-tree.ts"

/** Folders of a workspace that names none in `files`. */
const DEFAULT_FOLDERS = ["bin", "src", "dist"]
const ONLY_FOR_TESTS = /\.test\.tsx?$|(^|\/)fixtures\//
const TYPESCRIPT = /\.ts$/
const PROGRAM = /\.[jt]s$/

/**
 * Copies one of our own packages. Node does not run TypeScript below node_modules, so types are replaced by spaces: a line and column in a
 * stack trace are those of the source. Every other file is copied as it is.
 */
export async function copyWorkspace({ from, to, manifest }: Placed, target: string): Promise<void> {
  await init
  const folders = (manifest.files ?? DEFAULT_FOLDERS).filter((folder) => !folder.startsWith("!"))
  for await (const entry of glob(
    folders.map((folder) => `${folder}/**`),
    { cwd: from, withFileTypes: true },
  )) {
    const path = join(entry.parentPath, entry.name).slice(from.length + 1)
    if (!entry.isFile() || ONLY_FOR_TESTS.test(path)) continue
    const copy = join(target, to, path.replace(TYPESCRIPT, ".js"))
    await mkdir(dirname(copy), { recursive: true })
    if (path.startsWith("dist/") || !PROGRAM.test(path)) await cp(join(from, path), copy)
    else await writeFile(copy, await toJavaScript(join(from, path)))
  }
}

async function toJavaScript(path: string): Promise<string> {
  const source = await readFile(path, "utf8")
  const program = TYPESCRIPT.test(path) ? withoutTypes(source, path) : source
  return renameImports(program)
}

function withoutTypes(source: string, path: string): string {
  try {
    return stripTypeScriptTypes(source).replace(/[ \t]+$/gm, "")
  } catch (cause) {
    throw new Error(`${path} has syntax that is more than types`, { cause })
  }
}

/** `./a.ts` becomes `./a.js`, in imports, exports and `import()`. */
function renameImports(program: string): string {
  const [imports] = parse(program)
  let renamed = program
  for (const { specifier: name, start, end } of imports.toReversed())
    if (typeof name === "string" && /^\.{1,2}\//.test(name) && TYPESCRIPT.test(name))
      renamed =
        renamed.slice(0, start) + renamed.slice(start, end).replace(/\.ts(["']?)$/, ".js$1") + renamed.slice(end)
  return renamed
}
