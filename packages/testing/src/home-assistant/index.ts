export * from "./home-assistant.ts"
export * from "./mqtt-schema.ts"
