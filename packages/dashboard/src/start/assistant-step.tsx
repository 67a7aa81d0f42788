import { Tabs } from "@base-ui/react/tabs"
import type { AccountResponse } from "@restwell/client"
import { ConnectorAddress } from "../components/connector-address.tsx"
import { ASSISTANTS } from "../format/assistants.ts"
import { Step } from "./step.tsx"

/** Third: one address for assistants. */
export const AssistantStep = ({ account: { assistants } }: { account: AccountResponse }) => (
  <Step number={3} title="Add the connector to your assistant" isDone={assistants.length > 0}>
    <p>Your assistant asks for this address once. You sign in, see what it may read, and press Authorize.</p>
    <ConnectorAddress />
    <Tabs.Root defaultValue={ASSISTANTS[0].name}>
      <Tabs.List className="flex gap-1 border-b border-line">
        {ASSISTANTS.map(({ name }) => (
          <Tabs.Tab
            key={name}
            value={name}
            className="-mb-px min-h-9 border-b-2 border-transparent px-3 text-muted data-active:border-text data-active:font-medium data-active:text-text"
          >
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {ASSISTANTS.map(({ name, steps }) => (
        <Tabs.Panel key={name} value={name} className="pt-3">
          <ol className="flex list-decimal flex-col gap-1 pl-5">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  </Step>
)
