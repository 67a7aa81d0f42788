import { cp, glob, mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { init, parse } from "es-module-lexer"
import { transform } from "esbuild"
import type { Placed } from "./plan-tree.ts"

const LEGAL = /^(licen[cs]e|copying|notice)/i
const PROGRAM = /\.m?js$/

/** Copies what our programs load of a library, its licences and its manifests, which say how its files are loaded. */
export async function copyLibrary({ from, to }: Placed, target: string, loaded: ReadonlySet<string>): Promise<void> {
  await init
  for await (const entry of glob("**", { cwd: from, withFileTypes: true, exclude: ["node_modules"] })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !(loaded.has(path) || entry.name === "package.json" || LEGAL.test(entry.name))) continue
    const copy = join(target, to, path.slice(from.length + 1))
    await mkdir(dirname(copy), { recursive: true })
    if (PROGRAM.test(path)) await writeFile(copy, await withoutComments(path))
    else await cp(path, copy)
  }
}

/**
 * An ES module without comments, but for licences. Node.js keeps the text of what it loads in memory, and a third of it is comments. Other
 * modules stay as they are: Node.js finds what they export by their spelling.
 */
async function withoutComments(path: string): Promise<string> {
  const text = await readFile(path, "utf8")
  const [, , , isModule] = parse(text)
  return isModule ? (await transform(text, { legalComments: "inline", sourcefile: path })).code : text
}
