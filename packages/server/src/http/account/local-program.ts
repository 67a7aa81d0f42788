import { fileURLToPath } from "node:url"
import { isLoopback } from "../../oauth/redirect-uri.ts"

const PROGRAM = fileURLToPath(new URL("../../../bin/restwell.js", import.meta.url))

/**
 * The command that runs the connector's tools on the person's own machine, with the absolute paths of this installation: programs start it
 * in a folder of their own. Null for a service at another address, whose paths mean nothing to the person.
 */
export const localProgram = (baseUrl: string): { command: string; args: string[] } | null =>
  isLoopback(new URL(baseUrl)) ? { command: process.execPath, args: [PROGRAM, "mcp"] } : null
