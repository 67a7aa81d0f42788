import { type AccountResponse, SOURCE_TYPES, type SourceSettingsResponse } from "@restwell/client"
import { type ReactNode, useState } from "react"
import { hasSeveralSources, sourcesOf } from "../api/account.ts"
import { useNoMainDevice } from "../api/preferences.ts"
import { useSaveSources, useSources } from "../api/sources.ts"
import { Button } from "../components/button.tsx"
import { Notice } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"
import { providerName } from "../format/provider-name.ts"
import { effectOf } from "./effect.ts"
import { inOrder, SaveStatus } from "./order-panel.tsx"

interface WithQuestionProps {
  readonly account: AccountResponse
  /** While it is unknown whether to ask. */
  readonly skeleton: ReactNode
  readonly children: ReactNode
}

/**
 * Asks for the main device above the rest of a page, once: when a second source is there and no order is set, which is the answer. The rest
 * is drawn with the question, so that it does not move.
 */
export function WithMainDeviceQuestion({ account, skeleton, children }: WithQuestionProps) {
  const { isChosen: isDeclined, choose: decline, error } = useNoMainDevice()
  const isPossible = isDeclined !== true && hasSeveralSources(account)
  // A second source that comes while the page is open takes nothing of it away.
  const [wasPossible] = useState(isPossible)
  const query = useSources(isPossible)
  if (wasPossible && isPossible && (isDeclined === undefined || query.isPending)) return skeleton
  return (
    <>
      {isPossible && isDeclined === false && query.data && (
        <Question account={account} settings={query.data} failure={error?.message} onDecline={decline} />
      )}
      {children}
    </>
  )
}

interface QuestionProps {
  readonly account: AccountResponse
  readonly settings: SourceSettingsResponse
  /** Why the answer that there is none was not saved. */
  readonly failure: string | undefined
  readonly onDecline: () => void
}

function Question({ account, settings, failure, onDecline }: QuestionProps) {
  const save = useSaveSources()
  const [main, setMain] = useState<string>()
  if (save.isSuccess && main !== undefined)
    return (
      <Notice tone="good" title={`${providerName(main)} is your main device`}>
        Where it recorded nothing, the next one answers. A new device joins behind the others. You change the order on
        the page Sources.
      </Notice>
    )
  if (SOURCE_TYPES.some((type) => settings.order[type].length > 0)) return null
  const providers = inOrder(sourcesOf(account), [], settings.default_order).map(({ provider }) => provider)
  const choose = () => {
    if (main === undefined) return
    const order = [main, ...providers.filter((provider) => provider !== main)]
    save.mutate({ order: Object.fromEntries(SOURCE_TYPES.map((type) => [type, order])) })
  }
  return (
    <Panel
      title="Which device is your main one?"
      description="It answers on each day that it recorded. The others answer where it did not."
    >
      <fieldset className="grid gap-2 sm:grid-cols-2">
        <legend className="sr-only">Your main device</legend>
        {providers.map((provider) => (
          <Option
            key={provider}
            provider={provider}
            settings={settings}
            isChosen={provider === main}
            onChoose={() => setMain(provider)}
          />
        ))}
      </fieldset>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button look="primary" disabled={main === undefined} isBusy={save.isPending} onClick={choose}>
          Make it the main one
        </Button>
        <Button onClick={onDecline}>Let Restwell choose</Button>
      </div>
      <SaveStatus change="" save={save} />
      {failure !== undefined && (
        <p role="alert" className="mt-2 text-sm text-poor">
          The answer was not saved: {failure}.
        </p>
      )}
    </Panel>
  )
}

const Option = ({
  provider,
  settings,
  isChosen,
  onChoose,
}: {
  provider: string
  settings: SourceSettingsResponse
  isChosen: boolean
  onChoose: () => void
}) => (
  <label
    className={`flex cursor-pointer items-start gap-3 rounded-xl border p-3 text-sm hover:bg-raised ${
      isChosen ? "border-accent bg-accent-soft" : "border-line"
    }`}
  >
    <input
      type="radio"
      name="main-device"
      checked={isChosen}
      onChange={onChoose}
      className="mt-0.5 size-5 shrink-0 accent-text"
    />
    <span>
      <span className="font-medium">{providerName(provider)}</span>
      <span className="block text-muted">{effectOf(provider, settings.differences)}</span>
    </span>
  </label>
)
