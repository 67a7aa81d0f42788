/* Notifications of the system: this browser, and the person's other browsers and phones. */
import type { PushSubscriptionsResponse } from "@restwell/client"
import {
  type PushAbility,
  pushAbility,
  useOwnPushId,
  usePushBrowsers,
  useTurnOffPush,
  useTurnOnPush,
} from "../api/browser-push.ts"
import { Button } from "../components/button.tsx"
import { FailureNotice, Loaded, Skeleton } from "../components/notice.tsx"
import { TimeAgo } from "../components/time-ago.tsx"
import { sentence } from "../format/number.ts"
import { ChannelSection, TestButton } from "./channel-section.tsx"

type Browsers = PushSubscriptionsResponse["subscriptions"]

const REASONS: Readonly<Record<Exclude<PushAbility, "possible">, string>> = {
  unsupported: "This browser has no notifications of pages.",
  not_installed:
    "On an iPhone or iPad, first put Restwell on the home screen: tap Share, then Add to Home Screen. Open it from there, and turn notifications on here.",
  insecure: "Browsers show notifications only for addresses that begin with https://.",
  denied:
    "This browser does not allow notifications of Restwell. Allow them in the settings of the browser for this page.",
}

export const BrowserChannel = ({ publicKey }: { publicKey: string }) => (
  <ChannelSection title="Browsers and phones">
    <p className="text-muted">
      A notification of the system, also while Restwell is closed. Turn it on in each browser or phone that should show
      it. Signing out turns it off there.
    </p>
    <Loaded query={usePushBrowsers()} skeleton={<Skeleton className="h-10" label="Loading browsers" />}>
      {({ subscriptions }) => <BrowserList browsers={subscriptions} publicKey={publicKey} />}
    </Loaded>
  </ChannelSection>
)

function BrowserList({ browsers, publicKey }: { browsers: Browsers; publicKey: string }) {
  const { data: ownId } = useOwnPushId()
  const turnOn = useTurnOnPush()
  const ability = pushAbility()
  const isOn = browsers.some(({ id }) => id === ownId)
  return (
    <>
      {browsers.length > 0 && (
        <ul aria-label="Browsers and phones" className="divide-y divide-line border-y border-line">
          {browsers.map((browser) => (
            <BrowserItem key={browser.id} browser={browser} isOwn={browser.id === ownId} />
          ))}
        </ul>
      )}
      {!isOn &&
        (ability === "possible" ? (
          <div>
            <Button isBusy={turnOn.isPending} onClick={() => turnOn.mutate(publicKey)}>
              Turn on in this browser
            </Button>
          </div>
        ) : (
          <p>{REASONS[ability]}</p>
        ))}
      {turnOn.error && <FailureNotice error={turnOn.error} />}
      {browsers.length > 0 && <TestButton channel="push" isOwner={false} />}
    </>
  )
}

function BrowserItem({
  browser: { id, name, last_sent_at, fault },
  isOwn,
}: {
  browser: Browsers[number]
  isOwn: boolean
}) {
  const turnOff = useTurnOffPush()
  return (
    <li className="flex items-center justify-between gap-3 py-3">
      <div className="min-w-0">
        <p className="font-medium">
          {name}
          {isOwn && " (this browser)"}
        </p>
        {fault === null ? (
          <p className="text-muted">
            {last_sent_at === null ? (
              "No message lately"
            ) : (
              <>
                Last message <TimeAgo instant={last_sent_at} />
              </>
            )}
          </p>
        ) : (
          <p className="break-words text-poor">{sentence(fault)}</p>
        )}
        {turnOff.error && <FailureNotice error={turnOff.error} />}
      </div>
      <Button aria-label={`Turn off in ${name}`} isBusy={turnOff.isPending} onClick={() => turnOff.mutate(id)}>
        Turn off
      </Button>
    </li>
  )
}
