export * from "./port-and-folder.ts"
export * from "./start-postgres.ts"
export * from "./test-database.ts"
