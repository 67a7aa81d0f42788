/** The tools that the suite's `tools-*`, `json-schema-*` and `http-custom-header-*` scenarios call by name. */
import { type CallToolResult, fromJsonSchema, type McpServer } from "@modelcontextprotocol/server"
import { z } from "zod"
import { embedded, RED_PIXEL, SILENCE, text, textResult } from "./fixture-content.ts"

/** Description and result of each tool without arguments. */
const CONSTANT_TOOLS: Record<string, readonly [string, CallToolResult]> = {
  test_simple_text: ["Answers with text", textResult("This is a simple text response for testing.")],
  test_image_content: ["Answers with a picture", { content: [RED_PIXEL] }],
  test_audio_content: ["Answers with a sound", { content: [SILENCE] }],
  test_embedded_resource: [
    "Answers with a document",
    { content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")] },
  ],
  test_multiple_content_types: [
    "Answers with text, a picture and a document",
    {
      content: [
        text("Multiple content types test:"),
        RED_PIXEL,
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
      ],
    },
  ],
}

export function registerTools(server: McpServer): void {
  for (const [name, [description, result]] of Object.entries(CONSTANT_TOOLS)) {
    server.registerTool(name, { description }, () => result)
  }
  registerFailingTool(server)
  registerNotifyingTools(server)
  registerSchemaTools(server)
}

function registerFailingTool(server: McpServer): void {
  server.registerTool("test_error_handling", { description: "Always fails" }, () => {
    throw new Error("This tool intentionally returns an error for testing")
  })
}

/** Tools that send log messages or progress before they answer. */
function registerNotifyingTools(server: McpServer): void {
  server.registerTool("test_tool_with_logging", { description: "Logs three times" }, async ({ mcpReq }) => {
    for (const words of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await mcpReq.log("info", words)
    }
    return textResult("Logged three times.")
  })
  server.registerTool("test_logging_tool", { description: "Logs once" }, async ({ mcpReq }) => {
    await mcpReq.log("info", "Only for clients that set a log level")
    return textResult("Logged once.")
  })
  server.registerTool("test_tool_with_progress", { description: "Reports its progress" }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    if (progressToken === undefined) return textResult("The client did not request progress.")
    for (const progress of [0, 50, 100]) {
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } })
    }
    return textResult("Reported progress three times.")
  })
}

/** Tools for tests of input schemas. */
function registerSchemaTools(server: McpServer): void {
  server.registerTool(
    "json_schema_2020_12_tool",
    { description: "Tool with JSON Schema 2020-12 features", inputSchema: fromJsonSchema(CONTACT_SCHEMA) },
    (args) => textResult(JSON.stringify(args)),
  )
  server.registerTool(
    "test_custom_header",
    {
      description: "Takes an argument that the client repeats in a header",
      inputSchema: z.object({ region: z.string().meta({ "x-mcp-header": "Region" }) }),
    },
    ({ region }) => textResult(region),
  )
}

/** Every keyword that `json-schema-2020-12` looks for in the listing (SEP-1613, SEP-2106). */
const CONTACT_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
} satisfies Parameters<typeof fromJsonSchema>[0]
