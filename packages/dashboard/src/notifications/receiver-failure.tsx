/* What a receiver answered, or why nothing was sent. To the owner it offers to allow a host of the home network. */
import { useLateConfirmation } from "../account/confirmation.tsx"
import { useAllowPrivateHost } from "../api/service.ts"
import { Button } from "../components/button.tsx"
import { FailureNotice, Notice } from "../components/notice.tsx"

interface ReceiverFailureProps {
  readonly error: Error
  readonly isOwner: boolean
  /** The address that was refused. */
  readonly url: string | undefined
  /** Tries again what was refused. */
  readonly onAllowed: () => void
}

/** As the service says it of a private address. */
const PRIVATE = /(\S+ is (?:in your home network|this computer))\. Allow it/

/** Whether the service refused an address because it is private. */
export const isPrivateRefusal = (error: Error | null): boolean => error !== null && PRIVATE.test(error.message)

export function ReceiverFailure({ error, isOwner, url, onAllowed }: ReceiverFailureProps) {
  const allow = useAllowPrivateHost()
  const { confirm, field: confirmation, failure } = useLateConfirmation(allow.error)
  const host = url === undefined ? undefined : URL.parse(url)?.host
  const where = PRIVATE.exec(error.message)?.[1]
  if (where === undefined || host === undefined) return <FailureNotice error={error} />
  if (!isOwner)
    return (
      <Notice tone="poor" title={`${where}.`}>
        Messages go there only if the owner of this Restwell allows it, on the page Service.
      </Notice>
    )
  return (
    <Notice
      tone="fair"
      title={`${where}. Allow it?`}
      action={
        <Button
          look="primary"
          isBusy={allow.isPending}
          onClick={() => allow.mutate({ host, confirm }, { onSuccess: onAllowed })}
        >
          Allow {host}
        </Button>
      }
    >
      <p>Everybody with an account here may then send messages to it. The page Service lists what is allowed.</p>
      {confirmation}
      {failure && <FailureNotice error={failure} />}
    </Notice>
  )
}
