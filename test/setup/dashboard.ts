import { buildDashboard } from "../../packages/dashboard/build.ts"

/** Builds the dashboard that the service serves in tests. */
export default async function setup(): Promise<void> {
  await buildDashboard()
}
