export * from "./create-context.ts"
export * from "./stored-rows.ts"
export * from "./world.ts"
