export * from "./launch-chromium.ts"
export * from "./visit.ts"
