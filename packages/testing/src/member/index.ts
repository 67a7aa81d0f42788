export * from "./authenticator-app.ts"
export * from "./expect-described.ts"
export * from "./member.ts"
