export * from "./environment.ts"
export * from "./quick-password-hash.ts"
export * from "./service-process.ts"
export * from "./test-service.ts"
