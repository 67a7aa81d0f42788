import {
  type AccountResponse,
  type Connection,
  SOURCE_TYPES,
  type SourceSettingsResponse,
  type SourceType,
} from "@restwell/client"
import { useState } from "react"
import { sourcesOf } from "../api/account.ts"
import { useSaveSources } from "../api/sources.ts"
import { Button } from "../components/button.tsx"
import { Notice } from "../components/notice.tsx"
import { moved, OrderList } from "../components/order-list.tsx"
import { Panel } from "../components/page.tsx"
import { sentence } from "../format/number.ts"
import { providerName } from "../format/provider-name.ts"

/** Names of the types in headings and in sentences. */
export const TYPES: Readonly<
  Record<SourceType, { readonly title: string; readonly name: string; readonly what: string }>
> = {
  sleep: { title: "Sleep", name: "sleep", what: "Times, stages and naps." },
  recovery: { title: "Recovery", name: "recovery", what: "Score, HRV, resting heart rate and temperature." },
  workout: { title: "Workouts", name: "workouts", what: "A workout that several devices recorded." },
  cycle: { title: "Cycles", name: "cycles", what: "Strain and energy of the day." },
}

/** The person's sources that deliver a type. An archive delivers what its vendor's connection does. */
const candidatesFor = (
  type: SourceType,
  account: Pick<AccountResponse, "connections" | "vendors" | "archives">,
): readonly Connection[] =>
  sourcesOf(account).filter(({ provider }) => {
    const source = [...account.vendors, ...account.archives].find((each) => each.provider === provider)
    return source === undefined || source.delivers.includes(type)
  })

/** Sorts sources as the service does: those of the person's order, then by the default order. */
function inOrder(
  candidates: readonly Connection[],
  order: readonly string[],
  defaultOrder: readonly string[],
): Connection[] {
  const places = [...order, ...defaultOrder.filter((provider) => !order.includes(provider))]
  const placeOf = ({ provider }: Connection): number =>
    places.includes(provider) ? places.indexOf(provider) : places.length
  return candidates.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** The last change, and whether it is saved. */
export const SaveStatus = ({
  change,
  save,
}: {
  change: string
  save: { readonly isPending: boolean; readonly isSuccess: boolean; readonly error: Error | null }
}) => (
  <div>
    <p role="status" className="text-sm text-muted not-empty:mt-4">
      {save.isPending ? `${change} Saving.` : save.isSuccess ? `${change} Saved.` : ""}
    </p>
    {save.error && (
      <div className="mt-4">
        <Notice tone="poor" title="The change was not saved, so it was taken back">
          {sentence(save.error.message)}
        </Notice>
      </div>
    )}
  </div>
)

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
      description="The first device that recorded a day is used. Until you set an order, the most complete record is used: a sleep far shorter than another device's of that night is not complete. Then direct connections go before archives, and archives before what a phone collects. Of equal ones, the source that you have longest is used."
    >
      <div className="grid gap-x-6 gap-y-6 md:grid-cols-2">
        {SOURCE_TYPES.map((type) => (
          <TypeOrder
            key={type}
            type={type}
            account={account}
            order={settings.order[type] ?? []}
            defaultOrder={settings.default_order}
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
  defaultOrder,
  onSave,
}: {
  type: SourceType
  account: AccountResponse
  order: readonly string[]
  defaultOrder: readonly string[]
  onSave: (providers: string[], text: string) => void
}) {
  const { title, name, what } = TYPES[type]
  const sources = inOrder(candidatesFor(type, account), order, defaultOrder)
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
        <OrderList
          purpose={`for ${name}`}
          items={sources.map(({ provider, status }) => ({
            key: provider,
            name: providerName(provider),
            ...(status === "archive" && { note: "archive" }),
          }))}
          onMove={move}
        />
      ) : (
        <p className="rounded-xl border border-line px-4 py-3 text-sm text-muted">
          {sources[0] ? `Only ${providerName(sources[0].provider)} delivers ${name}.` : `No source delivers ${name}.`}
        </p>
      )}
    </section>
  )
}
