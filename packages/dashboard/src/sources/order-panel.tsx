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
import { Disclosure, Panel } from "../components/page.tsx"
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
export function inOrder(
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

interface PanelProps {
  readonly account: AccountResponse
  readonly settings: SourceSettingsResponse
}

/** The devices in one order for all types, and behind it the order of each type. */
export function OrderPanel({ account, settings }: PanelProps) {
  const save = useSaveSources()
  const [change, setChange] = useState("")
  const saveOrder = (order: Partial<Record<SourceType, string[]>>, text: string) => {
    setChange(text)
    save.mutate({ order })
  }
  const differing = differingTypes(account, settings)
  const [hadOwnOrders] = useState(differing.length > 0)
  return (
    <Panel
      title="Your devices"
      description="The first device that recorded a day is used. A new one joins behind the others."
    >
      <AllTypesOrder account={account} settings={settings} onSave={saveOrder} />
      {differing.length > 0 && (
        <p className="mt-3 text-sm text-muted">
          {sentence(
            `${new Intl.ListFormat("en").format(differing.map((type) => TYPES[type].name))} ${
              differing.length === 1 ? "has an order of its" : "have orders of their"
            } own`,
          )}{" "}
          Moving a device here gives all types this order.
        </p>
      )}
      <SaveStatus change={change} save={save} />
      <Disclosure className="mt-3" summary="Another order for one type" isOpen={hadOwnOrders}>
        <div className="mt-3 grid gap-x-6 gap-y-6 md:grid-cols-2">
          {SOURCE_TYPES.map((type) => (
            <TypeOrder
              key={type}
              type={type}
              account={account}
              order={settings.order[type]}
              defaultOrder={settings.default_order}
              onSave={(providers, text) => saveOrder({ [type]: providers }, text)}
            />
          ))}
        </div>
      </Disclosure>
      <Disclosure summary="How a device is chosen without an order">
        <p className="mt-1 max-w-prose text-muted">
          The most complete record is used: a sleep far shorter than another device's of that night is not complete.
          Then direct connections go before archives, and archives before what a phone collects. Of equal ones, the
          source that you have longest is used.
        </p>
      </Disclosure>
    </Panel>
  )
}

/** The devices of a type as they answer, by name. */
const orderOf = (type: SourceType, account: AccountResponse, settings: SourceSettingsResponse): readonly string[] =>
  inOrder(candidatesFor(type, account), settings.order[type], settings.default_order).map(({ provider }) => provider)

/** The devices in the order that most types have: that of sleep. */
const devicesInOrder = (account: AccountResponse, { order, default_order }: SourceSettingsResponse): Connection[] =>
  inOrder(sourcesOf(account), order.sleep, default_order)

/** Types whose devices come in another order than the list. */
function differingTypes(account: AccountResponse, settings: SourceSettingsResponse): readonly SourceType[] {
  const devices = devicesInOrder(account, settings).map(({ provider }) => provider)
  return SOURCE_TYPES.filter((type) => {
    const own = orderOf(type, account, settings)
    return own.join() !== devices.filter((provider) => own.includes(provider)).join()
  })
}

function AllTypesOrder({
  account,
  settings,
  onSave,
}: PanelProps & { onSave: (order: Partial<Record<SourceType, string[]>>, text: string) => void }) {
  const sources = devicesInOrder(account, settings)
  const hasOrder = SOURCE_TYPES.some((type) => settings.order[type].length > 0)
  const save = (providers: readonly string[], text: string) =>
    onSave(
      Object.fromEntries(
        SOURCE_TYPES.map((type) => [
          type,
          // A source that is disconnected now keeps its place behind the others.
          providers.length === 0
            ? []
            : [...providers, ...settings.order[type].filter((provider) => !providers.includes(provider))],
        ]),
      ),
      text,
    )
  const move = (from: number, to: number) => {
    const listed = moved(sources, from, to).map(({ provider }) => provider)
    const mover = providerName(listed[to] ?? "")
    save(
      listed,
      to === 0 ? `${mover} is now your main device.` : `${mover} is now number ${to + 1} of ${listed.length}.`,
    )
  }
  return (
    <>
      <div className="mb-2 flex min-h-9 items-center justify-between gap-2 text-sm text-muted">
        {hasOrder ? (
          <>
            <span>Your order</span>
            <Button look="quiet" onClick={() => save([], "Restwell chooses for each day again.")}>
              Reset<span className="sr-only"> the order of your devices</span>
            </Button>
          </>
        ) : (
          <span>No order set: Restwell chooses for each day</span>
        )}
      </div>
      <OrderList
        purpose="of your devices"
        items={sources.map(({ provider, status }) => ({
          key: provider,
          name: providerName(provider),
          note: `${status === "archive" ? "archive: " : ""}${typesOf(provider, account)}`,
        }))}
        onMove={move}
      />
    </>
  )
}

/** "all types", or "sleep, recovery and workouts" */
function typesOf(provider: string, account: AccountResponse): string {
  const types = SOURCE_TYPES.filter((type) => candidatesFor(type, account).some((each) => each.provider === provider))
  return types.length === SOURCE_TYPES.length
    ? "all types"
    : new Intl.ListFormat("en").format(types.map((type) => TYPES[type].name))
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
