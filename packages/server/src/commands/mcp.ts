import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { createClient } from "@restwell/client"
import { pino } from "pino"
import { z } from "zod"
import { ConfigError } from "../config/config.ts"
import { createLogger } from "../log/logger.ts"
import { apiSource } from "../mcp/api-source.ts"
import { createHealthServer } from "../mcp/health-server.ts"
import { failForPeople, untilStopped } from "./run-command.ts"

const STANDARD_ERROR = 2

const EnvironmentSchema = z.object({
  RESTWELL_URL: z
    .url({
      protocol: /^https?$/,
      error: "RESTWELL_URL is the address of your Restwell, like https://restwell.example",
    })
    .regex(/^[^?#@]*$/, { error: "RESTWELL_URL has no user name, password, query or fragment in it" }),
  RESTWELL_API_KEY: z
    .string({ error: "RESTWELL_API_KEY is your API key, from the dashboard's API page" })
    .regex(/^rw_[0-9A-Za-z]+$/, { error: "RESTWELL_API_KEY is no API key: those are rw_, then letters and digits" }),
})

/**
 * `restwell mcp`: the connector's tools on standard input and output, for programs on the person's own machine. Reads by HTTP with the
 * person's API key; standard output carries the protocol alone.
 */
export const main = (commandLine: readonly string[]): Promise<void> => failForPeople(() => run(commandLine))

async function run(commandLine: readonly string[]): Promise<void> {
  const { url, apiKey } = readSettings(commandLine)
  const logger = createLogger("warn", pino.destination(STANDARD_ERROR))
  const source = apiSource(createClient({ baseUrl: url, apiKey }), url.replace(/\/$/, ""))
  const server = serveStdio(() => createHealthServer({ source, logger, challenge: () => () => undefined }), {
    onerror: (error) => logger.warn({ err: error }, "a message could not be answered"),
  })
  const { promise: inputEnded, reject } = Promise.withResolvers<never>()
  process.stdin.once("end", () => reject(new InputEnded()))
  await untilStopped(() => server.close(), inputEnded).catch((error: unknown) => {
    if (!(error instanceof InputEnded)) throw error
  })
  process.exit(0)
}

/** The program that started this one has gone. */
class InputEnded extends Error {}

/** @throws {ConfigError} with every mistake at once */
function readSettings(commandLine: readonly string[]): { url: string; apiKey: string } {
  const parsed = EnvironmentSchema.safeParse(process.env)
  const mistakes = [
    ...(parsed.error?.issues.map(({ message }) => message) ?? []),
    ...(commandLine.length > 0 ? ["`restwell mcp` takes its settings from the environment, and no arguments"] : []),
  ]
  if (!parsed.success || mistakes.length > 0) throw new ConfigError(mistakes)
  return { url: parsed.data.RESTWELL_URL, apiKey: parsed.data.RESTWELL_API_KEY }
}
