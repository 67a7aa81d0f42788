export * from "./intervals-under-test.ts"
export * from "./oura-under-test.ts"
export * from "./vendor-under-test.ts"
export * from "./whoop-under-test.ts"
