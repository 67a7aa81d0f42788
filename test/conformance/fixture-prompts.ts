/** The prompts that the suite's `prompts-*` and `completion-complete` scenarios get by name. */
import { type ContentBlock, completable, type GetPromptResult, type McpServer } from "@modelcontextprotocol/server"
import { z } from "zod"
import { embedded, RED_PIXEL, text } from "./fixture-content.ts"

const userMessages = (...contents: ContentBlock[]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: "user", content })),
})

const WORDS = ["testimony", "testing", "text"]

export function registerPrompts(server: McpServer): void {
  server.registerPrompt("test_simple_prompt", { description: "Without arguments" }, () =>
    userMessages(text("This is a simple prompt for testing.")),
  )
  server.registerPrompt("test_prompt_with_image", { description: "With a picture" }, () =>
    userMessages(RED_PIXEL, text("Please analyze the image above.")),
  )
  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      description: "With arguments",
      argsSchema: z.object({
        arg1: completable(z.string().describe("First test argument"), (begun) =>
          WORDS.filter((word) => word.startsWith(begun)),
        ),
        arg2: z.string().describe("Second test argument"),
      }),
    },
    ({ arg1, arg2 }) => userMessages(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  )
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    {
      description: "With a document",
      argsSchema: z.object({ resourceUri: z.string().describe("URI of the resource to embed") }),
    },
    ({ resourceUri }) =>
      userMessages(
        embedded(resourceUri, "text/plain", "Embedded resource content for testing."),
        text("Please process the embedded resource above."),
      ),
  )
}
