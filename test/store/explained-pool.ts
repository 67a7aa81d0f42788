import { openPool } from "@restwell/core"
import type { Pool, PoolConfig } from "pg"
import { z } from "zod"

/** A step of a query plan that reads rows of a table. */
export interface Scan {
  readonly table: string
  /** The index condition. Empty for a scan of all rows. */
  readonly condition: string
  /** The statement, which may be inside a function. */
  readonly statement: string
  /** True if a step above it sorts the rows. */
  readonly isSorted: boolean
}

export interface ExplainedPool {
  readonly pool: Pool
  /** The scans of all statements since the last call. */
  takeScans(): Scan[]
}

const NodeSchema = z.looseObject({
  "Node Type": z.string(),
  "Relation Name": z.string().optional(),
  "Index Cond": z.string().optional(),
  "Recheck Cond": z.string().optional(),
  get Plans() {
    return z.array(NodeSchema).optional()
  },
})
const ExplainedSchema = z.object({ "Query Text": z.string(), Plan: NodeSchema })
type Node = z.infer<typeof NodeSchema>

/** Sends every plan to the client. Sequential scans are off, because small tables would always be scanned. */
const SETTINGS = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_nested_statements": "on",
  "auto_explain.log_format": "json",
  "auto_explain.log_level": "notice",
  enable_seqscan: "off",
}

/** Opens a pool that records the plan of every statement, including those inside functions. */
export function openExplainedPool(connection: PoolConfig): ExplainedPool {
  const options = Object.entries(SETTINGS)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ")
  const pool = openPool({ ...connection, max: 4, options }, () => {})
  let scans: Scan[] = []
  pool.on("connect", (client) =>
    client.on("notice", ({ message = "" }) => {
      const [, explained] = /plan:\n(.*)$/s.exec(message) ?? []
      if (explained === undefined) return
      const { "Query Text": statement, Plan } = ExplainedSchema.parse(JSON.parse(explained))
      scans.push(...scansOf(Plan, statement))
    }),
  )
  return {
    pool,
    takeScans() {
      const taken = scans
      scans = []
      return taken
    },
  }
}

function scansOf(node: Node, statement: string, isBelowSort = false): Scan[] {
  const isSorted = isBelowSort || node["Node Type"].endsWith("Sort")
  const below = (node.Plans ?? []).flatMap((child) => scansOf(child, statement, isSorted))
  const table = node["Relation Name"]
  if (table === undefined || !node["Node Type"].endsWith("Scan")) return below
  return [{ table, condition: node["Index Cond"] ?? node["Recheck Cond"] ?? "", statement, isSorted }, ...below]
}
