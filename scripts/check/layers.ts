import { packageOf, resolveImport, type SourceFile } from "./source-files.ts"

/** Which packages a package may import: client <- providers <- core <- postgres <- server. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  client: [],
  providers: ["client"],
  core: ["client", "providers"],
  postgres: ["core"],
  simulator: [],
  dashboard: ["client"],
  manual: [],
  // The simulator is for the demo command alone.
  server: ["client", "providers", "core", "postgres", "simulator"],
  testing: ["client", "providers", "core", "postgres", "simulator", "server"],
}

/** Parts with an entry of their own: words of figures and lengths of time, for the workspace alone, and what `restwell mcp` loads. */
const ENTRIES = [
  "@restwell/client/figures",
  "@restwell/client/time-units",
  "@restwell/core/connector",
  "@restwell/core/operator-errors",
  "@restwell/providers/vocabulary",
  "@restwell/simulator/demo",
]

/** The demo command, and its help, which loads no simulator. */
const USES_SIMULATOR = ["packages/server/src/commands/demo.ts", "packages/server/src/commands/command-table.ts"]

/** Tests use what a package exports. Only a package's own tests import its files. */
export const testImportFaults = ({ path, imports }: SourceFile): string[] =>
  imports.flatMap((name) => {
    const [folder, other, inside] = name.startsWith(".") ? resolveImport(path, name).split("/") : []
    if (folder !== "packages" || inside !== "src") return []
    return path.startsWith(`packages/${other}/`) ? [] : [`${path}: ${name} is not exported by the package ${other}`]
  })

/** The folders of core: each imports only from those before it. */
export const CORE_FOLDERS = [
  ...["base", "store", "context", "jobs", "outbox", "statistics", "connect", "sources", "read", "people", "tell"],
  ...["sync", "archives", "assistants", "operate"],
]

/** Faults of an import within core. Files beside the folders, such as `index.ts`, import from all. */
function coreFolderFaults(path: string, name: string): string[] {
  const [from = -1, to = -1] = [path, resolveImport(path, name)].map((each) =>
    CORE_FOLDERS.indexOf(each.split("/")[3] ?? ""),
  )
  if (path.split("/").length < 5) return []
  if (from < 0) return [`${path}: its folder has no place, add it to scripts/check/layers.ts`]
  return to > from ? [`${path}: ${CORE_FOLDERS[from]} must not import ${name}`] : []
}

export function layerFaults({ path, imports }: SourceFile): string[] {
  const own = packageOf(path)
  const allowed = LAYERS[own]
  if (!allowed) return [`${path}: package ${own} has no layer, add it to scripts/check/layers.ts`]
  return imports.flatMap((name) => {
    // Tests start parts of the service, which its package exports one by one for them.
    const [scope, other = "", inside] = name.split("/")
    if (name.startsWith(".") && packageOf(resolveImport(path, name)) !== own)
      return [`${path}: ${name} leaves its package`]
    if (name.startsWith(".") && own === "core") return coreFolderFaults(path, name)
    if (scope !== "@restwell") return []
    if (!allowed.includes(other)) return [`${path}: ${own} must not import ${name}`]
    if (inside !== undefined && own !== "testing" && !ENTRIES.includes(name))
      return [`${path}: ${name} reaches inside another package`]
    if (other === "simulator" && own === "server" && !USES_SIMULATOR.includes(path))
      return [`${path}: only the demo command may import the simulator`]
    return []
  })
}
