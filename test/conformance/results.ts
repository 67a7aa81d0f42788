/** Reads the results of the conformance suite: a folder per scenario with its checks. */
import { readdir, readFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { z } from "zod"

/** The outcome of one scenario. */
export interface ScenarioResult {
  readonly scenario: string
  /** Number of passed checks. */
  readonly passed: number
  /** Number of failed MUSTs. */
  readonly failed: number
  /** One line per check that failed. */
  readonly failures: string[]
  /** One line per failed SHOULD. */
  readonly warnings: string[]
}

const checks = z.array(
  z.object({
    id: z.string(),
    status: z.enum(["SUCCESS", "FAILURE", "WARNING", "SKIPPED", "INFO"]),
    description: z.string().default(""),
    errorMessage: z.string().optional(),
  }),
)
type Check = z.infer<typeof checks>[number]

export async function readResults(folder: string): Promise<ScenarioResult[]> {
  const files = (await readdir(folder, { recursive: true })).filter((path) => basename(path) === "checks.json").sort()
  return Promise.all(
    files.map(async (path) => {
      const made = checks.parse(JSON.parse(await readFile(join(folder, path), "utf8")))
      return resultOf(scenarioOf(dirname(path)), made)
    }),
  )
}

// "server-tools-list-2026-11-21T08-00-00-000Z": the role, the scenario and the time.
const scenarioOf = (folder: string): string =>
  basename(folder)
    .replace(/^(authorization-server|server)-/, "")
    .replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "")

function resultOf(scenario: string, made: readonly Check[]): ScenarioResult {
  const failures = made.filter(({ status }) => status === "FAILURE").map(lineOf)
  const warnings = made.filter(({ status }) => status === "WARNING").map(lineOf)
  const passed = made.filter(({ status }) => status === "SUCCESS").length
  return { scenario, passed, failed: failures.length, failures, warnings }
}

const lineOf = ({ id, description, errorMessage }: Check): string => `${id}: ${errorMessage ?? description}`
