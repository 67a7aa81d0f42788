/**
 * Fixtures that need more input from the client: the suite's `input-required-result-*` scenarios (SEP-2322).
 * Request state is signed, because the client sends it back and could change it.
 */
import { randomBytes } from "node:crypto"
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  inputResponse,
  type McpServer,
} from "@modelcontextprotocol/server"
import { z } from "zod"
import { text, textResult } from "./fixture-content.ts"

/** Signs the request state. One process serves every round, so a random key is enough. */
export const requestState = createRequestStateCodec({ key: randomBytes(32), bind: ({ mcpReq }) => mcpReq.method })

const Name = z.object({ name: z.string() })
const Color = z.object({ color: z.string() })
const Consent = z.object({ ok: z.boolean() })
const PromptContext = z.object({ context: z.string() })
const Round = z.object({ step: z.int() })
const Envelope = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({ elicitation: z.object().optional(), sampling: z.object().optional() }),
})
const NamedRound = z.object({ step: z.literal(2), name: z.string() })

const askName = (message = "What is your name?") => inputRequired.elicit({ message, requestedSchema: Name })
const askModel = (words: string, maxTokens = 100) =>
  inputRequired.createMessage({ messages: [{ role: "user", content: text(words) }], maxTokens })

export function registerInputFixtures(server: McpServer): void {
  registerSingleQuestions(server)
  registerSignedQuestions(server)
  registerRounds(server)
  registerCapabilityTools(server)
  registerInputPrompt(server)
}

function registerSingleQuestions(server: McpServer): void {
  const tool = (kind: string) => `test_input_required_result_${kind}`
  server.registerTool(tool("elicitation"), { description: "Asks for a name" }, ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, "user_name", Name)
    return given ? textResult(`Hello, ${given.name}!`) : inputRequired({ inputRequests: { user_name: askName() } })
  })
  server.registerTool(tool("sampling"), { description: "Asks the client's model" }, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, "capital_question")
    if (answer.kind === "sampling") return textResult(JSON.stringify(answer.result.content))
    return inputRequired({ inputRequests: { capital_question: askModel("What is the capital of France?") } })
  })
  server.registerTool(tool("list_roots"), { description: "Asks for the client's roots" }, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, "client_roots")
    if (answer.kind === "roots") return textResult(answer.roots.map(({ uri }) => uri).join("\n"))
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
  })
}

function registerSignedQuestions(server: McpServer): void {
  const confirm = inputRequired.elicit({ message: "Please confirm", requestedSchema: Consent })
  for (const kind of ["request_state", "tampered_state"]) {
    const name = `test_input_required_result_${kind}`
    server.registerTool(name, { description: "Asks for consent, and remembers that in its state" }, async (ctx) => {
      const given = acceptedContent(ctx.mcpReq.inputResponses, "confirm", Consent)
      if (given && Round.safeParse(ctx.mcpReq.requestState()).success) return textResult("state-ok")
      return inputRequired({
        inputRequests: { confirm },
        requestState: await requestState.mint({ step: 1 }, ctx),
      })
    })
  }
}

function registerRounds(server: McpServer): void {
  const many = "test_input_required_result_multiple_inputs"
  server.registerTool(many, { description: "Asks for three things at once" }, async (ctx) => {
    const { inputResponses } = ctx.mcpReq
    const name = acceptedContent(inputResponses, "user_name", Name)?.name
    const greeting = inputResponse(inputResponses, "greeting")
    const roots = inputResponse(inputResponses, "client_roots")
    if (name && greeting.kind === "sampling" && roots.kind === "roots") return textResult(`Hello, ${name}!`)
    return inputRequired({
      inputRequests: {
        user_name: askName(),
        greeting: askModel("Generate a greeting", 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await requestState.mint({ step: 1 }, ctx),
    })
  })
  server.registerTool("test_input_required_result_multi_round", { description: "Asks twice" }, async (ctx) => {
    const { inputResponses } = ctx.mcpReq
    const named = NamedRound.safeParse(ctx.mcpReq.requestState()).data
    const color = acceptedContent(inputResponses, "step2", Color)?.color
    if (named && color) return textResult(`${named.name} likes ${color}.`)
    const name = named?.name ?? acceptedContent(inputResponses, "step1", Name)?.name
    if (!name) return inputRequired(await firstRound(ctx))
    return inputRequired({
      inputRequests: {
        step2: inputRequired.elicit({ message: "Step 2: What is your favorite color?", requestedSchema: Color }),
      },
      requestState: await requestState.mint({ step: 2, name }, ctx),
    })
  })
}

const firstRound = async (ctx: Parameters<typeof requestState.mint>[1]) => ({
  inputRequests: { step1: askName("Step 1: What is your name?") },
  requestState: await requestState.mint({ step: 1 }, ctx),
})

/** Tools that depend on the client's capabilities. */
function registerCapabilityTools(server: McpServer): void {
  const name = "test_input_required_result_capabilities"
  server.registerTool(name, { description: "Asks for input that the client supports" }, ({ mcpReq }) => {
    const can = Envelope.parse(mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY]
    const inputRequests: InputRequests = {
      ...(can.elicitation && { user_name: askName() }),
      ...(can.sampling && { greeting: askModel("Generate a greeting") }),
    }
    return Object.keys(inputRequests).length === 0
      ? textResult("The client supports no input.")
      : inputRequired({ inputRequests })
  })
  server.registerTool("test_missing_capability", { description: "Needs the client's model" }, () =>
    inputRequired({ inputRequests: { greeting: askModel("Generate a greeting") } }),
  )
  server.registerTool("test_streaming_elicitation", { description: "Asks for a name" }, () =>
    inputRequired({ inputRequests: { user_name: askName() } }),
  )
}

function registerInputPrompt(server: McpServer): void {
  const name = "test_input_required_result_prompt"
  server.registerPrompt(name, { description: "Asks which context to use" }, ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, "user_context", PromptContext)
    if (given) return { messages: [{ role: "user", content: text(`Use this context: ${given.context}`) }] }
    const message = "What context should the prompt use?"
    return inputRequired({
      inputRequests: { user_context: inputRequired.elicit({ message, requestedSchema: PromptContext }) },
    })
  })
}
