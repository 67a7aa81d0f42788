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
  "@restwell/client/calendar-dates",
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

/** The folders of a package: each imports only from those before it. The package's README has the same order. */
export const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  core: [
    ...["base", "store", "context", "jobs", "outbox", "statistics", "connect", "sources", "read", "people", "tell"],
    ...["sync", "archives", "assistants", "operate"],
  ],
  providers: [
    ...["contract", "normalize", "http", "archive", "whoop", "oura", "polar", "intervals", "withings", "ultrahuman"],
    ...["garmin", "google-health", "apple-health", "push", "health-connect", "gadgetbridge", "sleep-as-android"],
  ],
}

/** Faults of an import within a package. Files beside the folders, such as `index.ts`, import from all. */
function folderFaults(path: string, name: string, folders: readonly string[]): string[] {
  const [from, to] = [path, resolveImport(path, name)].map((each) => each.split("/").slice(3))
  if (from === undefined || from.length < 2) return []
  const [folder = "", imported = ""] = [from[0], to?.[0]]
  if (!folders.includes(folder)) return [`${path}: its folder has no place, add it to scripts/check/layers.ts`]
  return folders.indexOf(imported) > folders.indexOf(folder) ? [`${path}: ${folder} must not import ${name}`] : []
}

export function layerFaults({ path, imports }: SourceFile): string[] {
  const own = packageOf(path)
  const allowed = LAYERS[own]
  const folders = FOLDERS[own]
  if (!allowed) return [`${path}: package ${own} has no layer, add it to scripts/check/layers.ts`]
  return imports.flatMap((name) => {
    // Tests start parts of the service, which its package exports one by one for them.
    const [scope, other = "", inside] = name.split("/")
    if (name.startsWith(".") && packageOf(resolveImport(path, name)) !== own)
      return [`${path}: ${name} leaves its package`]
    if (name.startsWith(".")) return folders ? folderFaults(path, name, folders) : []
    if (scope !== "@restwell") return []
    if (!allowed.includes(other)) return [`${path}: ${own} must not import ${name}`]
    if (inside !== undefined && own !== "testing" && !ENTRIES.includes(name))
      return [`${path}: ${name} reaches inside another package`]
    if (other === "simulator" && own === "server" && !USES_SIMULATOR.includes(path))
      return [`${path}: only the demo command may import the simulator`]
    return []
  })
}
