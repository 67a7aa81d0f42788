import type { StepTab } from "../components/step-tabs.tsx"

const ASK = "Ask: “How did I sleep this week?”"
const SIGN_IN = "Sign in here and press Authorize."

/** Where to add the connector in the assistants people use; the steps name buttons and files as the assistants do. */
export function assistantGuides(origin: string, key: string): readonly StepTab[] {
  const url = `${origin}/api/mcp/oauth`
  return [
    {
      name: "Claude",
      steps: [
        "Open Settings, then Connectors.",
        "Press “Add custom connector”, name it Restwell and paste the address.",
        `Press Connect. ${SIGN_IN}`,
        ASK,
      ],
    },
    {
      name: "ChatGPT",
      steps: [
        "Open Settings, then Apps & Connectors, and turn on Developer mode under Advanced.",
        "Press Create, name it Restwell, paste the address and choose OAuth.",
        SIGN_IN,
        "In a new chat choose Restwell under “+”, and ask.",
      ],
    },
    {
      name: "VS Code",
      steps: [
        "Put this into .vscode/mcp.json of a folder, or run “MCP: Open User Configuration” for all of them.",
        "Press Start above the entry, and allow it to open your browser.",
        SIGN_IN,
      ],
      code: { label: "VS Code file", text: json({ servers: { restwell: { type: "http", url } } }) },
    },
    {
      name: "Cursor",
      steps: [
        "Put this into ~/.cursor/mcp.json.",
        "Open Settings, then MCP, and press Connect beside restwell.",
        SIGN_IN,
      ],
      code: { label: "Cursor file", text: json({ mcpServers: { restwell: { url } } }) },
    },
    {
      name: "Claude Code",
      steps: ["Run this once, then /mcp in Claude Code, and choose restwell.", SIGN_IN],
      code: { label: "Claude Code command", text: `claude mcp add --transport http restwell ${url}` },
    },
    {
      name: "Claude Desktop",
      steps: [
        "Open Settings, then Connectors, as in Claude. Or, to read with your key and no sign-in:",
        "Open Settings, then Developer, then Edit Config, and put this into claude_desktop_config.json.",
        `Put your key where it says ${key}, and start Claude Desktop anew.`,
      ],
      code: {
        label: "Claude Desktop file",
        text: json({
          mcpServers: {
            restwell: {
              command: "npx",
              args: ["restwell", "mcp"],
              env: { RESTWELL_URL: origin, RESTWELL_API_KEY: key },
            },
          },
        }),
      },
    },
  ]
}

const json = (value: object): string => JSON.stringify(value, null, 2)

/** The one address of the connector. */
export const connectorAddress = (): string => `${window.location.origin}/api/mcp/oauth`

const SCOPE_NAMES: Readonly<Record<string, string>> = {
  "sleep:read": "sleep",
  "recovery:read": "recovery",
  "workouts:read": "workouts and strain",
  "profile:read": "profile",
}

/** "sleep, recovery, the last 30 days" */
export const sharedText = (scopes: readonly string[], days: number | null): string =>
  [...scopes.map((scope) => SCOPE_NAMES[scope] ?? scope), days === null ? "all dates" : `the last ${days} days`].join(
    ", ",
  )
