import { openPool } from "@restwell/core"
import type { Pool, PoolConfig } from "pg"
import { z } from "zod"

/** A step of a plan that finds rows of a table. */
export interface Scan {
  readonly table: string
  /** What it finds them by, as far as it is an index that does: empty where it goes through all rows. */
  readonly condition: string
  /** The statement that was run, also one inside a function. */
  readonly statement: string
}

export interface ExplainedPool {
  readonly pool: Pool
  /** Of everything that ran since the last call. */
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

/** With every plan sent to the client. Small tables would be read whole, whatever the statement says: that is left out. */
const SETTINGS = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_nested_statements": "on",
  "auto_explain.log_format": "json",
  "auto_explain.log_level": "notice",
  enable_seqscan: "off",
}

/** A pool that tells how PostgreSQL found what each statement was about, those inside functions too. */
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

function scansOf(node: Node, statement: string): Scan[] {
  const below = (node.Plans ?? []).flatMap((child) => scansOf(child, statement))
  const table = node["Relation Name"]
  if (table === undefined || !node["Node Type"].endsWith("Scan")) return below
  return [{ table, condition: node["Index Cond"] ?? node["Recheck Cond"] ?? "", statement }, ...below]
}
