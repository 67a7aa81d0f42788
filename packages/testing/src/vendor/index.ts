export * from "./approve-at-vendor.ts"
export * from "./misses-nights.ts"
export * from "./start-vendor.ts"
