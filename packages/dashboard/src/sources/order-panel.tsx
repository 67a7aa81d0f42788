import { type AccountResponse, SOURCE_TYPES, type SourceSettingsResponse, type SourceType } from "@restwell/client"
import { useState } from "react"
import { useSaveSources } from "../api/sources.ts"
import { Button } from "../components/button.tsx"
import { Panel } from "../components/panel.tsx"
import { providerName } from "../format/provider-name.ts"
import { OrderList } from "./order-list.tsx"
import { SaveStatus } from "./save-status.tsx"
import { candidatesFor, inOrder, moved } from "./source-order.ts"
import { TYPES } from "./types.ts"

/** The order of the sources for each type. */
export function OrderPanel({ account, settings }: { account: AccountResponse; settings: SourceSettingsResponse }) {
  const save = useSaveSources()
  const [change, setChange] = useState("")
  const saveOrder = (type: SourceType, providers: string[], text: string) => {
    setChange(text)
    save.mutate({ order: { [type]: providers } })
  }
  return (
    <Panel
      title="Your order"
      description="The first source with a record of a date answers. By default, a complete record goes before a partial one, a direct connection before an archive, and then the name decides."
    >
      <div className="grid gap-x-6 gap-y-6 md:grid-cols-2">
        {SOURCE_TYPES.map((type) => (
          <TypeOrder
            key={type}
            type={type}
            account={account}
            order={settings.order[type] ?? []}
            onSave={(providers, text) => saveOrder(type, providers, text)}
          />
        ))}
      </div>
      <SaveStatus change={change} save={save} />
    </Panel>
  )
}

function TypeOrder({
  type,
  account,
  order,
  onSave,
}: {
  type: SourceType
  account: AccountResponse
  order: readonly string[]
  onSave: (providers: string[], text: string) => void
}) {
  const { title, name, what } = TYPES[type]
  const sources = inOrder(candidatesFor(type, account), order)
  const move = (from: number, to: number) => {
    const listed = moved(sources, from, to).map(({ provider }) => provider)
    // A source that is disconnected now keeps its place behind the others.
    const rest = order.filter((provider) => !listed.includes(provider))
    const mover = providerName(listed[to] ?? "")
    onSave([...listed, ...rest], `${mover} is now number ${to + 1} of ${listed.length} for ${name}.`)
  }
  return (
    <section aria-label={title} className="flex min-w-0 flex-col">
      <div className="flex min-h-9 items-center justify-between gap-2">
        <h3 className="text-sm font-medium">{title}</h3>
        {order.length > 0 ? (
          <Button look="quiet" onClick={() => onSave([], `The default order is back for ${name}.`)}>
            Reset<span className="sr-only"> the order for {name}</span>
          </Button>
        ) : (
          <span className="text-sm text-muted">Default order</span>
        )}
      </div>
      <p className="mb-2 text-sm text-muted">{what}</p>
      {sources.length > 1 ? (
        <OrderList label={name} sources={sources} onMove={move} />
      ) : (
        <p className="rounded-xl border border-line px-4 py-3 text-sm text-muted">
          {sources[0] ? `Only ${providerName(sources[0].provider)} delivers ${name}.` : `No source delivers ${name}.`}
        </p>
      )}
    </section>
  )
}
