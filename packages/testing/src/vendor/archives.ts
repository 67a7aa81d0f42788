export * from "./oura-archive.ts"
export * from "./whoop-archive.ts"
export * from "./zip.ts"
