export * from "./find-engines.ts"
export * from "./pgbouncer.ts"
export * from "./start-cluster.ts"
