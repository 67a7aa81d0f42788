import { buildDashboard } from "../../packages/dashboard/build.ts"

/** The page that the service of every test answers with, as it is now. */
export default async function setup(): Promise<void> {
  await buildDashboard()
}
