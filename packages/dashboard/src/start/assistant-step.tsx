import type { AccountResponse } from "@restwell/client"
import { ConnectorGuide } from "../assistants/connector-guide.tsx"
import { Step } from "./step.tsx"

/** add the connector to an assistant. */
export const AssistantStep = ({ account, number }: { account: AccountResponse; number: number }) => (
  <Step number={number} title="Add the connector to your assistant" isDone={account.assistants.length > 0}>
    <p>Paste this address into your assistant once. Then sign in, choose what it can read, and press Authorize.</p>
    <ConnectorGuide account={account} />
  </Step>
)
