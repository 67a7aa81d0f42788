import { glob, readFile } from "node:fs/promises"
import { dirname, join, normalize } from "node:path"

/** The rules of ARCHITECTURE.md that a program can hold. Imports run one way; only some files may read the time. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  client: [],
  providers: ["client"],
  core: ["client", "providers"],
  simulator: [],
  dashboard: ["client"],
  // The demo is the one place where the service and its stand-in vendor meet.
  server: ["client", "providers", "core", "simulator"],
  testing: ["client", "providers", "core", "server", "simulator"],
}

/** Files that may ask the machine for the time: roots of composition, and the stand-in vendor's own clock. */
const MAY_READ_TIME = [
  /^packages\/server\/src\/(?:main|demo\/)/,
  /^packages\/simulator\/src\//,
  /^packages\/client\/src\//,
  /^packages\/dashboard\/src\/format\/use-now/,
]

interface SourceFile {
  readonly path: string
  readonly text: string
  readonly imports: readonly string[]
}

const IMPORT = /^\s*(?:import|export)(?:\s[^"'=;]*?\bfrom)?\s*["']([^"']+)["']/gm
const READS_TIME = /\bnew Date\(\)|\bDate\.now\(\)|\bTemporal\.Now\b/

/** Every breach of the rules, as `file: what is wrong`. */
export async function architectureFaults(root = join(import.meta.dirname, "../..")): Promise<string[]> {
  const files = await readSources(root)
  return [
    ...files.flatMap(layerFaults),
    ...files.flatMap(doorFaults),
    ...files.flatMap(timeFaults),
    ...cycleFaults(files),
  ]
}

async function readSources(root: string): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  for await (const path of glob("packages/*/src/**/*.{ts,tsx}", { cwd: root })) {
    if (path.endsWith(".test.ts") || path.endsWith(".test-d.ts")) continue
    const text = await readFile(join(root, path), "utf8")
    files.push({ path, text, imports: [...text.matchAll(IMPORT)].map(([, name = ""]) => name) })
  }
  return files
}

const packageOf = (path: string): string => path.split("/")[1] ?? ""

/** client <- providers <- core <- server; a package's inside is its own. */
function layerFaults({ path, imports }: SourceFile): string[] {
  const own = packageOf(path)
  const allowed = LAYERS[own]
  if (!allowed) return [`${path}: package ${own} has no layer, name it in scripts/check/architecture.ts`]
  return imports.flatMap((name) => {
    const [scope, other = "", inside] = name.split("/")
    if (scope === "@restwell" && !allowed.includes(other)) return [`${path}: ${own} must not import ${name}`]
    if (scope === "@restwell" && inside !== undefined) return [`${path}: ${name} reaches inside another package`]
    if (other === "" && name === "kysely" && own === "server") return [`${path}: a door never touches the store`]
    if (own !== "core" && /(?:^|\/)core\/src\/store/.test(name)) return [`${path}: a door never touches the store`]
    if (name.startsWith(".") && packageOf(resolve(path, name)) !== own) return [`${path}: ${name} leaves its package`]
    return []
  })
}

/** The stand-in vendor is for the demo, never for the service. */
const doorFaults = ({ path, imports }: SourceFile): string[] =>
  imports.includes("@restwell/simulator") && !path.startsWith("packages/server/src/demo/")
    ? [`${path}: only the demo runs the simulator`]
    : []

/** Time is an argument. */
const timeFaults = ({ path, text }: SourceFile): string[] =>
  READS_TIME.test(text) && !MAY_READ_TIME.some((allowed) => allowed.test(path))
    ? [`${path}: reads the time, take a Clock instead`]
    : []

const resolve = (path: string, name: string): string => normalize(join(dirname(path), name))

function cycleFaults(files: readonly SourceFile[]): string[] {
  const graph = new Map(
    files.map(({ path, text }) => [
      path,
      valueImports(text)
        .filter((name) => name.startsWith("."))
        .map((name) => resolve(path, name)),
    ]),
  )
  const settled = new Set<string>()
  const faults: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      faults.push(`${[...trail.slice(trail.indexOf(path)), path].join(" -> ")}: imports in a circle`)
      return
    }
    if (settled.has(path)) return
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path])
    settled.add(path)
  }
  for (const path of graph.keys()) visit(path, [])
  return faults
}

/** Types vanish before anything runs; a circle of types alone is none. */
const valueImports = (text: string): string[] =>
  [...text.matchAll(IMPORT)]
    .filter(([statement]) => !/^\s*(?:import|export) type\b/.test(statement))
    .map(([, name = ""]) => name)
