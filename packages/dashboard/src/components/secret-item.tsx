/* A key, a token or a share in a list: what it is, when it was last used, and its end. */
import type { ReactNode } from "react"
import { ConfirmDialog } from "./confirm-dialog.tsx"
import { TimeAgo } from "./time-ago.tsx"

interface SecretItemProps {
  readonly kind: "key" | "token" | "share"
  readonly name: string
  /** The first characters of it. */
  readonly prefix: string
  readonly lastUsedAt: string | null
  /** Before the time: "last push". */
  readonly lastUse: string
  /** A line below the name. */
  readonly details?: string
  readonly onEnd: () => Promise<unknown>
  /** What its end means. */
  readonly children: ReactNode
}

const TITLES: Readonly<Record<SecretItemProps["kind"], (name: string) => string>> = {
  key: (name) => `End the key “${name}”?`,
  token: (name) => `End the token of “${name}”?`,
  share: (name) => `End the share with “${name}”?`,
}

export const SecretItem = ({ kind, name, prefix, lastUsedAt, lastUse, details, onEnd, children }: SecretItemProps) => (
  <li className="flex items-center justify-between gap-3 py-3">
    <div className="min-w-0 text-sm">
      <p className="font-medium wrap-anywhere">{name}</p>
      {details !== undefined && <p className="text-muted">{details}</p>}
      <p className="text-muted">
        <span className="font-mono">{prefix}…</span>,{" "}
        {lastUsedAt === null ? (
          kind === "share" ? (
            "not viewed yet"
          ) : (
            "not used yet"
          )
        ) : (
          <>
            {lastUse} <TimeAgo instant={lastUsedAt} />
          </>
        )}
      </p>
    </div>
    <ConfirmDialog
      trigger="End"
      label={`End ${name}`}
      title={TITLES[kind](name)}
      confirmLabel={`End ${kind}`}
      onConfirm={onEnd}
    >
      <p>{children}</p>
    </ConfirmDialog>
  </li>
)
