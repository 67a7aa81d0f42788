/** Where to add a connector in the assistants people use; the steps name buttons as the assistants do. */
export const ASSISTANTS = [
  {
    name: "Claude",
    steps: [
      "Open Settings, then Connectors.",
      "Press “Add custom connector”, name it Restwell and paste the address.",
      "Press Connect, sign in here and press Authorize.",
      "Ask: “How did I sleep this week?”",
    ],
  },
  {
    name: "ChatGPT",
    steps: [
      "Open Settings, then Apps & Connectors, and turn on Developer mode under Advanced.",
      "Press Create, name it Restwell, paste the address and choose OAuth.",
      "Sign in here and press Authorize.",
      "In a new chat choose Restwell under “+”, and ask.",
    ],
  },
] as const

/** The one address of the connector. */
export const connectorAddress = (): string => `${window.location.origin}/api/mcp/oauth`
