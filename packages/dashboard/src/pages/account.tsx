import { DeletePanel } from "../account/delete-panel.tsx"
import { ExportPanel } from "../account/export-panel.tsx"
import { PasskeysPanel } from "../account/passkeys-panel.tsx"
import { PasswordPanel } from "../account/password-panel.tsx"
import { ProfilePanel } from "../account/profile-panel.tsx"
import { SecurityPanel } from "../account/security-panel.tsx"
import { useAccount } from "../api/account.ts"
import { hasPasskeySupport } from "../api/passkeys.ts"
import { FailureNotice } from "../components/failure-notice.tsx"
import { Page } from "../components/page.tsx"
import { Panel } from "../components/panel.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import { providerName } from "../format/provider-name.ts"

const SUBTITLE = "Who you are here, and how you get in."

export default function AccountPage() {
  const account = useAccount()
  return (
    <Page title="Account" subtitle={SUBTITLE}>
      {account.isPending && <Skeleton className="h-40" label="Your account is being read" />}
      {account.isError && <FailureNotice error={account.error} onRetry={() => account.refetch()} />}
      {account.isSuccess && (
        <>
          <ProfilePanel user={account.data.user} />
          {account.data.sign_in.providers.length > 0 && (
            <Panel
              title="Accounts elsewhere"
              description={`You sign in with ${account.data.sign_in.providers.map(providerName).join(" and ")}.`}
            />
          )}
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <PasswordPanel hasPassword={account.data.sign_in.password} />
            {hasPasskeySupport && <PasskeysPanel />}
          </div>
          <SecurityPanel />
          <ExportPanel />
          <DeletePanel user={account.data.user} sign_in={account.data.sign_in} />
        </>
      )}
    </Page>
  )
}
