/** `npm run build`, and before a start: the dashboard and the manual, each if its sources have changed since the last build. */
import { glob } from "node:fs/promises"
import { join } from "node:path"
import { buildDashboard, compress } from "../packages/dashboard/build.ts"
import { buildManual, writeReference } from "../packages/manual/build.ts"

const REPOSITORY = join(import.meta.dirname, "..")
const API_SOURCES = "packages/{client,core,providers,server}/src/**/*.ts"
/** The reference is the same for every installation. */
const ANY_INSTALLATION = { baseUrl: "https://your-restwell.example", version: "0.0.0" }

export async function buildPages(): Promise<void> {
  await buildDashboard()
  const sources = await Array.fromAsync(glob(API_SOURCES, { cwd: REPOSITORY }))
  await writeReference(
    sources.map((path) => join(REPOSITORY, path)),
    describeOwnApi,
  )
  await buildManual(compress)
}

/** Imports the service only here, because that takes seconds. */
async function describeOwnApi(): Promise<unknown> {
  const [{ describeApi }, { DESCRIBED }] = await Promise.all([
    import("../packages/server/src/openapi/operation.ts"),
    import("../packages/server/src/http/routes.ts"),
  ])
  return describeApi({ ...ANY_INSTALLATION, endpoints: DESCRIBED })
}

/** An install without the bundlers continues. The builds may be copied in later; without a dashboard the start fails with a message. */
const isInstall = process.env["npm_lifecycle_event"] === "prepare"

if (import.meta.main)
  await buildPages().catch((error: unknown) => {
    if (!isInstall || !(error instanceof Error)) throw error
    process.stderr.write(`${error.message}\n`)
  })
