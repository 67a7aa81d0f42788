import type { AccountResponse } from "@restwell/client"
import type { StepTab } from "../components/step-tabs.tsx"

const TRY = "Ask: “How did I sleep this week?”"
const SIGN_IN = "Sign in here and press Authorize."

const PLACEHOLDER = "YOUR_KEY"
const FOLDER = "/FOLDER/OF/RESTWELL"

type LocalProgram = NonNullable<AccountResponse["local_program"]>

/** Where the page does not know the person's own copy of Restwell. */
const OWN_COPY: LocalProgram = {
  command: `${FOLDER}/node_modules/.bin/node`,
  args: [`${FOLDER}/node_modules/.bin/restwell`, "mcp"],
}

/** URL of the connector. */
export const connectorUrl = (origin: string): string => `${origin}/api/mcp/oauth`

/**
 * How to add the connector to each assistant. The steps use the assistants' own names of buttons and files.
 * @param program the installation's own command; null where it runs on another machine
 */
export function assistantGuides(origin: string, program: LocalProgram | null): readonly StepTab[] {
  const url = connectorUrl(origin)
  return [
    {
      name: "Claude",
      steps: [
        "Open Settings, then Connectors.",
        "Press “Add custom connector”, name it Restwell and paste the address.",
        `Press Connect. ${SIGN_IN}`,
        TRY,
      ],
    },
    {
      name: "ChatGPT",
      steps: [
        "Open Settings, then Apps & Connectors, and turn on Developer mode under Advanced.",
        "Press Create, name it Restwell, paste the address and choose OAuth.",
        SIGN_IN,
        "In a new chat, choose Restwell under “+”, then ask.",
      ],
    },
    {
      name: "VS Code",
      steps: [
        "Add this to .vscode/mcp.json of a folder, or run “MCP: Open User Configuration” for all folders.",
        "Press Start above the entry, and allow it to open your browser.",
        SIGN_IN,
      ],
      code: { label: "VS Code file", text: json({ servers: { restwell: { type: "http", url } } }) },
    },
    {
      name: "Cursor",
      steps: [
        "Add this to ~/.cursor/mcp.json.",
        "Open Settings, then MCP, and press Connect next to restwell.",
        SIGN_IN,
      ],
      code: { label: "Cursor file", text: json({ mcpServers: { restwell: { url } } }) },
    },
    {
      name: "Claude Code",
      steps: ["Run this once. Then run /mcp in Claude Code and choose restwell.", SIGN_IN],
      code: { label: "Claude Code command", text: `claude mcp add --transport http restwell ${url}` },
    },
    {
      name: "Claude Desktop",
      steps: [
        "Add the connector as in Claude. Or, to use your API key without signing in:",
        "Open Settings, then Developer, then Edit Config, and add this to claude_desktop_config.json.",
        program === null
          ? `This runs a copy of Restwell on your computer. Replace ${FOLDER} with its folder, replace ${PLACEHOLDER} with your key, and restart Claude Desktop.`
          : `Replace ${PLACEHOLDER} with your key and restart Claude Desktop.`,
      ],
      code: {
        label: "Claude Desktop file",
        text: json({
          mcpServers: {
            restwell: {
              ...(program ?? OWN_COPY),
              env: { RESTWELL_URL: origin, RESTWELL_API_KEY: PLACEHOLDER },
            },
          },
        }),
      },
    },
  ]
}

const json = (value: object): string => JSON.stringify(value, null, 2)
