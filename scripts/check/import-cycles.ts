import { dirname } from "node:path"
import { resolveImport, type SourceFile } from "./source-files.ts"

interface Import {
  readonly from: string
  readonly to: string
}

/** For each node the nodes it imports, each with one import of a file as evidence. */
type Graph = ReadonlyMap<string, ReadonlyMap<string, Import>>

interface Cycle {
  readonly nodes: readonly string[]
  readonly evidence: readonly Import[]
}

/** Cycles between files and between folders. Imports of types count: a reader has to follow them too. */
export function importCycleFaults(files: readonly SourceFile[]): string[] {
  const imports = importsBetween(files)
  return [
    ...findCycles(graphOf(imports, (path) => path)).map((cycle) => describeCycle("files", cycle)),
    ...findCycles(graphOf(imports, dirname)).map((cycle) => describeCycle("folders", cycle)),
  ]
}

function importsBetween(files: readonly SourceFile[]): Import[] {
  const known = new Set(files.map(({ path }) => path))
  return files.flatMap(({ path: from, imports }) =>
    imports
      .filter((name) => name.startsWith("."))
      .map((name) => ({ from, to: resolveImport(from, name) }))
      .filter(({ to }) => known.has(to)),
  )
}

function graphOf(imports: readonly Import[], nodeOf: (path: string) => string): Graph {
  const graph = new Map<string, Map<string, Import>>()
  for (const each of imports) {
    const [from, to] = [nodeOf(each.from), nodeOf(each.to)]
    const targets = graph.get(from) ?? new Map<string, Import>()
    // Files of one folder may import each other.
    if (from !== to) graph.set(from, targets.set(to, targets.get(to) ?? each))
  }
  return graph
}

/** Returns the shortest cycle through each node, every cycle once. */
function findCycles(graph: Graph): Cycle[] {
  const cycles = new Map<string, Cycle>()
  for (const node of graph.keys()) {
    const cycle = shortestCycle(graph, node)
    const key = cycle?.nodes.toSorted().join(" ")
    if (cycle && key !== undefined && !cycles.has(key)) cycles.set(key, cycle)
  }
  return [...cycles.values()]
}

/** Breadth-first search from a node back to itself. */
function shortestCycle(graph: Graph, start: string): Cycle | undefined {
  const seen = new Set<string>()
  const queue: (Cycle & { readonly node: string })[] = [{ node: start, nodes: [start], evidence: [] }]
  for (const { node, nodes, evidence } of queue)
    for (const [next, found] of graph.get(node) ?? []) {
      if (next === start) return { nodes, evidence: [...evidence, found] }
      if (seen.has(next)) continue
      seen.add(next)
      queue.push({ node: next, nodes: [...nodes, next], evidence: [...evidence, found] })
    }
  return undefined
}

function describeCycle(what: "files" | "folders", { nodes, evidence }: Cycle): string {
  const imports = evidence.map(({ from, to }) => `${from} imports ${to}`).join(", ")
  return `${nodes[0]}: ${what} import each other in a cycle: ${imports}`
}
