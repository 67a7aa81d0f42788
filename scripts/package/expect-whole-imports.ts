import { existsSync } from "node:fs"
import { glob, readFile } from "node:fs/promises"
import { createRequire, isBuiltin } from "node:module"
import { dirname, join } from "node:path"
import { init, parse } from "es-module-lexer"
import type { Placed } from "./plan-tree.ts"

/** @throws {Error} when one of our programs imports a file or package that is not in the package */
export async function expectWholeImports(target: string, ours: readonly Placed[]): Promise<void> {
  await init
  for (const { to } of ours)
    for await (const path of glob("{bin,src}/**/*.js", { cwd: join(target, to) })) {
      const file = join(target, to, path)
      const [imports] = parse(await readFile(file, "utf8"))
      for (const { specifier: name } of imports)
        if (typeof name === "string" && !isThere(file, name))
          throw new Error(`${join(to, path)} imports ${name}, which the package lacks`)
    }
}

function isThere(file: string, name: string): boolean {
  if (isBuiltin(name)) return true
  if (name.startsWith(".")) return existsSync(join(dirname(file), name))
  const [first = "", second = ""] = name.split("/")
  const library = first.startsWith("@") ? `${first}/${second}` : first
  const folders = createRequire(file).resolve.paths(library) ?? []
  return folders.some((folder) => existsSync(join(folder, library)))
}
