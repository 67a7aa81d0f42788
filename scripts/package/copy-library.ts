import { cp, glob, mkdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Placed } from "./plan-tree.ts"

const LEGAL = /^(licen[cs]e|copying|notice)/i

/** Copies what our programs load of a library, its licences and its manifests, which say how its files are loaded. */
export async function copyLibrary({ from, to }: Placed, target: string, loaded: ReadonlySet<string>): Promise<void> {
  for await (const entry of glob("**", { cwd: from, withFileTypes: true, exclude: ["node_modules"] })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !(loaded.has(path) || entry.name === "package.json" || LEGAL.test(entry.name))) continue
    const copy = join(target, to, path.slice(from.length + 1))
    await mkdir(dirname(copy), { recursive: true })
    await cp(path, copy)
  }
}
