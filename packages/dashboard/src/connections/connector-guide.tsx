import type { AccountResponse } from "@restwell/client"
import { CodeBlock } from "../components/code-block.tsx"
import { type StepTab, StepTabs } from "../components/instructions.tsx"
import { Notice } from "../components/notice.tsx"
import { isPublic, whoCanOpen } from "../format/address-reach.ts"
import { PublicAddressWays } from "../service/public-address.tsx"

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
const connectorUrl = (origin: string): string => `${origin}/api/mcp/oauth`

interface GuideOptions {
  readonly origin: string
  readonly address: AccountResponse["address"]
  /** The installation's own command; null where it runs on another machine. */
  readonly program: LocalProgram | null
}

/** How to add the connector to each assistant that can reach it. The steps use the assistants' own names of buttons and files. */
const assistantGuides = ({ origin, address, program }: GuideOptions): readonly StepTab[] => [
  ...(isPublic(address) ? WEB_GUIDES : []),
  // OAuth allows plain http to this computer alone.
  ...(isPublic(address) || address.reach === "this_computer" ? programGuides(connectorUrl(origin)) : []),
  desktopGuide({ origin, address, program }),
]

/** Assistants that connect from their vendor's servers. */
const WEB_GUIDES: readonly StepTab[] = [
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
]

/** Programs that connect from the person's own computer. */
const programGuides = (url: string): readonly StepTab[] => [
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
    steps: ["Add this to ~/.cursor/mcp.json.", "Open Settings, then MCP, and press Connect next to restwell.", SIGN_IN],
    code: { label: "Cursor file", text: json({ mcpServers: { restwell: { url } } }) },
  },
  {
    name: "Claude Code",
    steps: ["Run this once. Then run /mcp in Claude Code and choose restwell.", SIGN_IN],
    code: { label: "Claude Code command", text: `claude mcp add --transport http restwell ${url}` },
  },
]

/** Runs the tools on the person's computer with the API key, which works with every address. */
const desktopGuide = ({ origin, address, program }: GuideOptions): StepTab => ({
  name: "Claude Desktop",
  steps: [
    ...(isPublic(address) ? ["Add the connector as in Claude. Or, to use your API key without signing in:"] : []),
    "Open Settings, then Developer, then Edit Config, and add this to claude_desktop_config.json.",
    program === null
      ? `This runs a copy of Restwell on your computer. Replace ${FOLDER} with its folder, replace ${PLACEHOLDER} with your key, and restart Claude Desktop.`
      : `Replace ${PLACEHOLDER} with your key and restart Claude Desktop.`,
  ],
  code: {
    label: "Claude Desktop file",
    text: json({
      mcpServers: {
        restwell: { ...(program ?? OWN_COPY), env: { RESTWELL_URL: origin, RESTWELL_API_KEY: PLACEHOLDER } },
      },
    }),
  },
})

const json = (value: object): string => JSON.stringify(value, null, 2)

type Account = Pick<AccountResponse, "address" | "is_owner" | "local_program">

/** The address of the connector, and how to add it to each assistant that can reach it. */
export const ConnectorGuide = ({ account }: { account: Account }) => {
  const { origin } = window.location
  const { address, local_program: program } = account
  return (
    <>
      {!isPublic(address) && <UnreachableNotice account={account} />}
      {(isPublic(address) || address.reach === "this_computer") && (
        <CodeBlock label="connector address" text={connectorUrl(origin)} />
      )}
      <StepTabs label="Assistants" tabs={assistantGuides({ origin, address, program })} />
    </>
  )
}

/** Which assistants cannot reach the address, and what kind of address they can. */
const UnreachableNotice = ({ account: { address, is_owner: isOwner } }: { account: Account }) => (
  <>
    <Notice tone="fair" title="Claude, ChatGPT and other assistants on the web cannot reach this address">
      {whoCanOpen(address) ?? "It has no https, which assistants require"}. They need an address that begins with
      https:// and that everybody on the internet can open.{" "}
      {address.reach === "this_computer" ? "Programs on this computer can use it." : "Programs can use your API key."}{" "}
      {!isOwner && "Ask the owner of this server for a public address."}
    </Notice>
    {isOwner && <PublicAddressWays />}
  </>
)
