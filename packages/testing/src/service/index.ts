export * from "./environment.ts"
export * from "./environment.ts"
export * from "./service-process.ts"
export * from "./test-service.ts"
