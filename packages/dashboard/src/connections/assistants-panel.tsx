import type { AccountResponse } from "@restwell/client"
import { ConnectorAddress } from "../components/connector-address.tsx"
import { Panel } from "../components/panel.tsx"

/** The assistants that may read, and the address that others are added with. */
export const AssistantsPanel = ({ assistants }: Pick<AccountResponse, "assistants">) => (
  <Panel title="Assistants" description="Claude, ChatGPT and others read through one address, after you said yes here.">
    <div className="flex flex-col gap-4">
      <ConnectorAddress />
      {assistants.length === 0 ? (
        <p className="text-sm text-muted">No assistant may read your data yet.</p>
      ) : (
        <ul className="divide-y divide-line text-sm">
          {assistants.map(({ name }) => (
            <li key={name} className="py-2 font-medium">
              {name}
            </li>
          ))}
        </ul>
      )}
    </div>
  </Panel>
)
