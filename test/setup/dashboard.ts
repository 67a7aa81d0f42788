/** Builds the dashboard and the manual that the service serves in tests. */
export { buildPages as default } from "../../scripts/build.ts"
