import { DeletePanel, ExportPanel } from "../account/data-panels.tsx"
import { PasskeysPanel } from "../account/passkeys-panel.tsx"
import { PasswordPanel } from "../account/password-panel.tsx"
import { PreferencesPanel } from "../account/preferences-panel.tsx"
import { NoticesPanel, ProfilePanel } from "../account/profile-panel.tsx"
import { SecurityPanel } from "../account/security-panel.tsx"
import { TwoFactorPanel } from "../account/two-factor-panel.tsx"
import { useAccount } from "../api/account.ts"
import { hasPasskeySupport } from "../api/sign-in-methods.ts"
import { Loaded, Skeleton } from "../components/notice.tsx"
import { Page, Panel } from "../components/page.tsx"
import { providerName } from "../format/provider-name.ts"

export default function AccountPage() {
  return (
    <Page title="Account" subtitle="Your profile, sign-in methods and data.">
      <Loaded query={useAccount()} skeleton={<Skeleton className="h-40" label="Loading your account" />}>
        {({ user, sign_in, api_key, notices, is_owner, is_alone }) => (
          <>
            <ProfilePanel user={user} isOwner={is_owner} />
            <PreferencesPanel />
            {sign_in.providers.length > 0 && (
              <Panel
                title="Linked accounts"
                description={`You sign in with ${sign_in.providers.map(providerName).join(" and ")}.`}
              />
            )}
            <div className="grid items-start gap-4 lg:grid-cols-2">
              <div className="grid gap-4">
                <PasswordPanel methods={sign_in} hasKey={api_key !== null} />
                <TwoFactorPanel isOn={sign_in.two_factor} hasPassword={sign_in.password} />
              </div>
              {hasPasskeySupport && <PasskeysPanel methods={sign_in} />}
            </div>
            {notices.can_send && <NoticesPanel notices={notices} email={user.email} />}
            <SecurityPanel />
            <ExportPanel />
            <DeletePanel user={user} sign_in={sign_in} is_owner={is_owner} is_alone={is_alone} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
