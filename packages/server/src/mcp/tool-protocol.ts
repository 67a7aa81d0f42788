import type { CallToolResult, ScopeChallengeHandler, StandardSchemaWithJSON } from "@modelcontextprotocol/server"
import { CHART_KEY, type Chart } from "@restwell/client"
import type { HealthScope, Logger } from "@restwell/core"
import { databaseTrouble, NotFound, QuotaExceeded, ServiceError } from "@restwell/core/connector"
import { z } from "zod"
import type { ChartView } from "./charts.ts"
import type { ToolSource } from "./tool-source.ts"

export interface ToolOptions {
  readonly source: ToolSource
  readonly logger: Logger
  /** Draws the results of tools where the program of the assistant has room for it. */
  readonly view: ChartView
  /** Asks for more scopes before a call. `restwell mcp` has no scopes. */
  readonly challenge: (scopes: readonly HealthScope[]) => ScopeChallengeHandler
}

type Link = Extract<CallToolResult["content"][number], { type: "resource_link" }>

/** One answer of a tool. Text and structured form carry the same facts, because programs show the assistant one or the other. */
export interface Answered {
  readonly text: string
  readonly structured: Record<string, unknown>
  /** The data as a file. */
  readonly link?: Link | undefined
  /** The data of its chart, which the assistant never reads. */
  readonly chart?: Chart | undefined
}

/** A tool's result. An error is a result too, with a message that says what to do. Internal errors are logged. */
export async function toolResult(
  answer: () => Promise<Answered>,
  { logger, source: { baseUrl } }: Pick<ToolOptions, "logger" | "source">,
): Promise<CallToolResult> {
  try {
    return resultOf(await answer())
  } catch (error) {
    return { isError: true, content: [{ type: "text", text: describeError(error, logger, baseUrl) }] }
  }
}

const resultOf = ({ text, structured, link, chart }: Answered): CallToolResult => ({
  content: [{ type: "text", text }, ...(link ? [link] : [])],
  structuredContent: structured,
  ...(chart && { _meta: { [CHART_KEY]: chart } }),
})

/** @returns the code of the error and what to do about it */
export function describeError(error: unknown, logger: Logger, baseUrl: string): string {
  if (error instanceof QuotaExceeded)
    return `${error.code}: ${error.message}. Send no more requests before then. The person sees their usage at ${baseUrl}/developer`
  if (error instanceof NotFound) return `${error.code}: ${error.message}. Connect a vendor at ${baseUrl}/connections`
  if (error instanceof ServiceError) return `${error.code}: ${error.message}`
  const trouble = databaseTrouble(error)
  logger.error({ err: error }, "a tool failed")
  if (trouble !== undefined) return `unavailable: ${trouble}`
  return "internal_error: Restwell failed, try again later. Its operator finds the cause in the log"
}

/** A JSON schema with nothing but types: what an assistant needs of a result before it has one. */
export interface TypesOnly {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, TypesOnly>>
}

const NodeSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  $ref: z.string().optional(),
  $defs: z.record(z.string(), z.unknown()).optional(),
})

/**
 * The types of a JSON schema's properties, without references, alternatives and descriptions: not all assistants follow references, and
 * claude.ai calls no tool of a list that has `anyOf` in an output. What can be null or of several types has a list of types. Objects and
 * lists inside are not described, because assistants keep the list of tools in every conversation.
 * @see https://github.com/anthropics/claude-ai-mcp/issues/485
 */
export function typesOnly(schema: unknown): TypesOnly {
  const { $defs: definitions = {} } = NodeSchema.parse(schema)
  const alternatives = resolved(schema, definitions)
  const properties = alternatives.flatMap((one) => Object.entries(one.properties ?? {}))
  const byName = Map.groupBy(properties, ([name]) => name)
  return {
    ...typeOf(schema, definitions),
    properties: Object.fromEntries(
      [...byName].map(([name, all]) => [name, typeOf({ anyOf: all.map(([, property]) => property) }, definitions)]),
    ),
  }
}

type Definitions = Readonly<Record<string, unknown>>

/** What a value may be, without references: one schema, or several alternatives. */
function resolved(schema: unknown, definitions: Definitions): z.infer<typeof NodeSchema>[] {
  const node = NodeSchema.parse(schema)
  if (node.$ref !== undefined) return resolved(definitions[node.$ref.replace("#/$defs/", "")], definitions)
  const alternatives = node.anyOf ?? node.oneOf
  return alternatives ? alternatives.flatMap((one) => resolved(one, definitions)) : [node]
}

function typeOf(schema: unknown, definitions: Definitions): TypesOnly {
  const types = [...new Set(resolved(schema, definitions).flatMap(({ type }) => type ?? []))]
  const [first] = types
  if (first === undefined) return {}
  return { type: types.length === 1 ? first : types }
}

/** Keywords that a reader of an input does not need. An undescribed key is refused in words. */
const NOT_NEEDED = ["$schema", "additionalProperties", "example", "id", "pattern"]

/** The schemas never change, but a server is made for each request. */
const CACHE = {
  input: new WeakMap<z.ZodType, Record<string, unknown>>(),
  output: new WeakMap<z.ZodType, Record<string, unknown>>(),
} as const

/**
 * A schema with a shorter JSON form than zod's own, because assistants keep the list of tools in every conversation. Validation is the same.
 * The form of an output has only types.
 */
export function leanSchema<Schema extends z.ZodType>(
  schema: Schema,
  readArguments: (given: unknown) => unknown = (given) => given,
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const { validate, vendor, version } = schema["~standard"]
  const input = () => CACHE.input.getOrInsertComputed(schema, inputJson)
  const output = () => CACHE.output.getOrInsertComputed(schema, outputJson)
  return {
    "~standard": {
      validate: (given, options) => validate(readArguments(given), options),
      vendor,
      version,
      jsonSchema: { input, output },
    },
  }
}

const PropertiesSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
})
const ArgumentsSchema = z.record(z.string(), z.unknown())
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/

/**
 * The arguments of a call as their schema wants them. Assistants send "7" and "true" as often as 7 and true, and null for an argument that
 * they leave out.
 */
export function asWanted(schema: z.ZodType, given: unknown): unknown {
  const sent = ArgumentsSchema.safeParse(given)
  if (!sent.success) return given
  const { properties, required } = PropertiesSchema.parse(CACHE.input.getOrInsertComputed(schema, inputJson))
  return Object.fromEntries(
    Object.entries(sent.data).flatMap(([name, value]) => {
      if (!Object.hasOwn(properties, name)) return [[name, value]]
      const types = resolved(properties[name], {}).flatMap(({ type }) => type ?? [])
      if (value === null && !types.includes("null") && !required.includes(name)) return []
      return [[name, typeof value === "string" && !types.includes("string") ? typedValue(value.trim(), types) : value]]
    }),
  )
}

function typedValue(text: string, types: readonly string[]): unknown {
  if ((types.includes("integer") || types.includes("number")) && NUMBER.test(text)) return Number(text)
  if (types.includes("boolean") && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true"
  return text
}

const outputJson = (schema: z.ZodType): Record<string, unknown> => ({
  ...typesOnly(z.toJSONSchema(schema, { io: "output", reused: "inline" })),
})

function inputJson(schema: z.ZodType): Record<string, unknown> {
  const json = z.toJSONSchema(schema, {
    io: "input",
    reused: "inline",
    override({ jsonSchema }) {
      for (const name of NOT_NEEDED) delete jsonSchema[name]
      if (jsonSchema.description === "") delete jsonSchema.description
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  delete json.$schema
  return json
}
