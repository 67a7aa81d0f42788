/**
 * Tools that ask the client something during a call, as in versions before 2026-07-28. They need sessions: these
 * fixtures prove that the scenarios in `not-applicable.ts` do not pass.
 */
import {
  type ElicitRequestFormParams,
  inputRequired,
  inputResponse,
  type McpServer,
} from "@modelcontextprotocol/server"
import { z } from "zod"
import { text, textResult } from "./fixture-content.ts"

type Form = ElicitRequestFormParams["requestedSchema"]

const UserForm: Form = {
  type: "object",
  properties: {
    username: { type: "string", description: "User's response" },
    email: { type: "string", description: "User's email address" },
  },
  required: ["username", "email"],
}

/** A default for each primitive type (SEP-1034). */
const DefaultsForm: Form = {
  type: "object",
  properties: {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
}

const options = ["option1", "option2", "option3"]
const titled = ["value1", "value2", "value3"].map((value, index) => ({ const: value, title: `Choice ${index + 1}` }))

/** Every form of a choice (SEP-1330). */
const ChoicesForm: Form = {
  type: "object",
  properties: {
    untitledSingle: { type: "string", enum: options },
    titledSingle: { type: "string", oneOf: titled },
    legacyEnum: { type: "string", enum: ["opt1", "opt2"], enumNames: ["Option One", "Option Two"] },
    untitledMulti: { type: "array", items: { type: "string", enum: options } },
    titledMulti: { type: "array", items: { anyOf: titled } },
  },
}

export function registerQuestions(server: McpServer): void {
  const sampling = { description: "Asks the client's model", inputSchema: z.object({ prompt: z.string() }) }
  server.registerTool("test_sampling", sampling, ({ prompt }, { mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, "answer")
    if (answer.kind === "sampling") return textResult(`LLM response: ${JSON.stringify(answer.result.content)}`)
    const request = { messages: [{ role: "user" as const, content: text(prompt) }], maxTokens: 100 }
    return inputRequired({ inputRequests: { answer: inputRequired.createMessage(request) } })
  })
  const elicitation = { description: "Asks the person", inputSchema: z.object({ message: z.string() }) }
  server.registerTool("test_elicitation", elicitation, ({ message }, { mcpReq }) =>
    fillIn(mcpReq.inputResponses, message, UserForm),
  )
  for (const [name, form] of [
    ["test_elicitation_sep1034_defaults", DefaultsForm],
    ["test_elicitation_sep1330_enums", ChoicesForm],
  ] as const) {
    server.registerTool(name, { description: "Asks the person" }, ({ mcpReq }) =>
      fillIn(mcpReq.inputResponses, "Please fill this in", form),
    )
  }
}

function fillIn(responses: Record<string, unknown> | undefined, message: string, requestedSchema: Form) {
  const answer = inputResponse(responses, "form")
  if (answer.kind !== "elicit") {
    return inputRequired({ inputRequests: { form: inputRequired.elicit({ message, requestedSchema }) } })
  }
  return textResult(`Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content)}`)
}
