import type { AccountResponse } from "@restwell/client"
import { useSignOut } from "../api/sign-in.ts"
import { Button, ButtonLink } from "../components/button.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { Panel } from "../components/panel.tsx"
import { ThemeSwitch } from "../components/theme-switch.tsx"

export function ProfilePanel({ user, isOwner }: Pick<AccountResponse, "user"> & { isOwner: boolean }) {
  const signOut = useSignOut()
  // A full page load clears the person's data from memory.
  const leave = () => signOut.mutate(undefined, { onSuccess: () => window.location.assign("/sign-in") })
  return (
    <Panel
      title={user.name}
      description={user.email}
      actions={
        <div className="flex flex-wrap gap-2">
          {isOwner && <ButtonLink to="/service">Manage this service</ButtonLink>}
          <Button isBusy={signOut.isPending} onClick={leave}>
            Sign out
          </Button>
        </div>
      }
    >
      {signOut.error && <FailureNotice error={signOut.error} />}
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <span className="text-muted">Appearance</span>
        <ThemeSwitch />
      </div>
    </Panel>
  )
}
