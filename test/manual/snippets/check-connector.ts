/** Snippets that lead an assistant to the connector. */
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { expect } from "vitest"
import { z } from "zod"
import { REPOSITORY, type RunningService } from "./running-service.ts"

const ResourceSchema = z.object({ resource: z.url() })

/** An assistant finds the way to sign in from the address alone. */
export async function checkConnectorUrl(address: string): Promise<void> {
  const refused = await fetch(address, { method: "POST" })
  expect(refused.status, address).toBe(401)
  const metadata = /resource_metadata="([^"]+)"/.exec(refused.headers.get("www-authenticate") ?? "")?.[1]
  expect(ResourceSchema.parse(await (await fetch(metadata ?? "")).json())).toEqual({ resource: address })
}

/** An assistant on this computer runs the command and gets tools that answer. */
export async function checkLocalTools(command: {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}): Promise<void> {
  const client = new Client({ name: "manual", version: "1" })
  const { PATH = "" } = process.env
  const env = { PATH, ...command.env }
  await client.connect(new StdioClientTransport({ ...command, args: [...command.args], env, cwd: REPOSITORY }))
  try {
    expect((await client.listTools()).tools.length).toBeGreaterThan(3)
    const read = await client.callTool({ name: "get_sleep", arguments: { days: 7 } })
    expect(read.isError ?? false, JSON.stringify(read.content)).toBe(false)
  } finally {
    await client.close()
  }
}

const LocalSchema = z.object({
  command: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
})
const RemoteSchema = z.object({ type: z.literal("http").optional(), url: z.url() })
const ServersSchema = z.object({ restwell: z.union([LocalSchema, RemoteSchema]) })
const ConfigurationSchema = z.union([
  z.strictObject({ mcpServers: ServersSchema }),
  z.strictObject({ servers: ServersSchema }),
])

/** The file of Claude Desktop, VS Code or Cursor. */
export async function checkAssistantFile(text: string, service: RunningService): Promise<void> {
  const filled = service.fill(text).replaceAll("/FOLDER/OF/RESTWELL", REPOSITORY)
  const configuration = ConfigurationSchema.parse(JSON.parse(filled))
  const { restwell } = "servers" in configuration ? configuration.servers : configuration.mcpServers
  if ("command" in restwell) await checkLocalTools(restwell)
  else await checkConnectorUrl(restwell.url)
}
