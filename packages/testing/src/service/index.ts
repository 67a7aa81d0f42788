export * from "./environment.ts"
export * from "./run-command.ts"
export * from "./service-process.ts"
export * from "./test-service.ts"
