import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { createClient } from "@restwell/client"
import { z } from "zod"
import { ConfigError } from "../config/config-errors.ts"
import { readChatPage } from "../docs/built-pages.ts"
import { apiSource } from "../mcp/api-source.ts"
import { chartViewOf } from "../mcp/charts.ts"
import { createHealthServer } from "../mcp/tools.ts"
import { runCommand, untilStopped } from "./run-command.ts"
import { commandLogger } from "./terminal.ts"

const CONNECTOR = /\/api\/mcp(?:\/oauth)?\/*$/

const EnvironmentSchema = z.object({
  RESTWELL_URL: z
    .url({
      protocol: /^https?$/,
      error: "RESTWELL_URL must be the address of your Restwell, like https://restwell.example",
    })
    .regex(/^[^?#@]*$/, {
      error: "RESTWELL_URL must not contain a user name, password, query or fragment",
      abort: true,
    })
    .refine((url) => !CONNECTOR.test(url), {
      error: ({ input }) =>
        `RESTWELL_URL is the connector's address, which needs no key. This command needs ${String(input).replace(CONNECTOR, "")}`,
    }),
  RESTWELL_API_KEY: z
    .string({ error: "RESTWELL_API_KEY must be your API key, from the dashboard's API page" })
    .regex(/^rw_[0-9A-Za-z]+$/, { error: "RESTWELL_API_KEY must be rw_ followed by letters and digits" }),
})

/**
 * `restwell mcp`: the connector's tools on standard input and output, for programs on the person's own machine. It reads over HTTP with the
 * person's API key. Standard output carries only the protocol.
 */
export const main = (): Promise<void> => runCommand(run, { printsStack: true })

async function run(): Promise<void> {
  const { url, apiKey } = readSettings()
  const logger = commandLogger()
  const clock = { now: () => new Date() }
  const source = apiSource(createClient({ baseUrl: url, apiKey, reader: "assistant" }), url.replace(/\/$/, ""), clock)
  const view = chartViewOf(await readChatPage())
  const server = serveStdio(() => createHealthServer({ source, logger, view, challenge: () => () => undefined }), {
    onerror: (error) => logger.warn({ err: error }, "could not answer a message"),
  })
  const { promise: inputEnded, reject } = Promise.withResolvers<never>()
  process.stdin.once("end", () => reject(new InputEnded()))
  await untilStopped(() => server.close(), inputEnded).catch((error: unknown) => {
    if (!(error instanceof InputEnded)) throw error
  })
  process.exit(0)
}

/** The program that started this one has ended. */
class InputEnded extends Error {}

/** @throws {ConfigError} with every mistake at once */
function readSettings(): { url: string; apiKey: string } {
  const parsed = EnvironmentSchema.safeParse(process.env)
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map(({ message }) => message))
  return { url: parsed.data.RESTWELL_URL, apiKey: parsed.data.RESTWELL_API_KEY }
}
