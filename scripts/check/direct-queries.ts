import { type Exception, isExcepted, packageOf, type SourceFile } from "./source-files.ts"

const QUERY = /\.(?:query|executeSql)\(/

const DRIVER_EXCEPTIONS: readonly Exception[] = [
  {
    files: "packages/server/src/{service,build-http-service}.ts",
    reason: "composition root: passes pools on",
  },
  { files: "packages/server/src/commands/**", reason: "composition roots: open the pool of a command" },
  { files: "packages/server/src/postgres/**", reason: "opens the pools" },
]
const QUERY_EXCEPTIONS = DRIVER_EXCEPTIONS.filter(({ files }) => files.includes("/postgres/"))

/** Only core queries the store, and `postgres` asks its server below any pool. Elsewhere a handler calls a verb of core. */
export function directQueryFaults({ path, text, imports }: SourceFile): string[] {
  if (["core", "postgres", "testing"].includes(packageOf(path))) return []
  const faults: string[] = []
  if (imports.includes("kysely")) faults.push(`${path}: imports kysely, a handler never touches the store`)
  if (imports.includes("pg") && !isExcepted(path, DRIVER_EXCEPTIONS))
    faults.push(`${path}: imports pg, only scripts/check/direct-queries.ts lists who may`)
  if (packageOf(path) === "server" && QUERY.test(text) && !isExcepted(path, QUERY_EXCEPTIONS))
    faults.push(`${path}: queries the database directly, call a verb of core`)
  return faults
}
