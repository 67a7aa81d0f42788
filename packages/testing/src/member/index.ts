export * from "./expect-described.ts"
export * from "./member.ts"
