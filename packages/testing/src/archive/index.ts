export { HEADERS, type Spelling, TAILS } from "./headers.ts"
export * from "./oura-archive.ts"
export * from "./whoop-archive.ts"
export * from "./zip.ts"
