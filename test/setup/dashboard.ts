import { buildDashboard } from "../../packages/dashboard/build.ts"
import { buildManual } from "../../packages/manual/build.ts"

/** Builds the dashboard and the manual that the service serves in tests. */
export default async function setup(): Promise<void> {
  await buildDashboard()
  await buildManual()
}
