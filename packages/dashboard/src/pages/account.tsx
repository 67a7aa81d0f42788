import type { AccountResponse } from "@restwell/client"
import { ConfirmationField, useConfirmation } from "../account/confirmation.tsx"
import { PasskeysPanel } from "../account/passkeys-panel.tsx"
import { NoticesPanel, PreferencesPanel, ProfilePanel } from "../account/profile-panel.tsx"
import { PasswordPanel, SecurityPanel } from "../account/security-panel.tsx"
import { SharesPanel } from "../account/shares-panel.tsx"
import { TwoFactorPanel } from "../account/two-factor-panel.tsx"
import { useAccount, useDeleteAccount } from "../api/account.ts"
import { hasPasskeySupport } from "../api/sign-in-methods.ts"
import { ButtonLink, ExternalButtonLink } from "../components/button.tsx"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { removeDrafts } from "../components/draft.ts"
import { TextField, useFields } from "../components/form.tsx"
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
            <Panel
              title="Notifications"
              description="A message each morning, rules of your own, and where they are sent."
              actions={<ButtonLink to="/notifications">Open notifications</ButtonLink>}
            />
            <SharesPanel />
            <SecurityPanel />
            <ExportPanel />
            <DeletePanel user={user} sign_in={sign_in} is_owner={is_owner} is_alone={is_alone} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

const TABLES = [
  { type: "sleep", label: "Sleep" },
  { type: "recovery", label: "Recovery" },
  { type: "workout", label: "Workouts" },
  { type: "cycle", label: "Days" },
  { type: "series", label: "Values within the day" },
] as const

/** Downloads of the person's data. */
const ExportPanel = () => (
  <Panel
    title="Export"
    description="JSON: your account, connections, both logs and every record with the vendor's original data. CSV: one table per data type, for a spreadsheet."
  >
    <div className="flex flex-wrap gap-2">
      <ExternalButtonLink href="/api/account/export" download>
        All data (JSON)
      </ExternalButtonLink>
      {TABLES.map(({ type, label }) => (
        <ExternalButtonLink key={type} href={`/api/account/export?format=csv&type=${type}`} download>
          {label} (CSV)
        </ExternalButtonLink>
      ))}
    </div>
  </Panel>
)

type DeletePanelProps = Pick<AccountResponse, "user" | "sign_in" | "is_owner" | "is_alone">

/** Deletes the account after the person has typed its email address, and confirmed it with a password or a passkey. */
function DeletePanel({ user, sign_in, is_owner, is_alone }: DeletePanelProps) {
  const remove = useDeleteAccount()
  const { values, field } = useFields({ address: "" })
  const { confirm, isComplete, input } = useConfirmation(sign_in)
  const confirmDeletion = async () => {
    await remove.mutateAsync(confirm)
    removeDrafts()
    // A full page load clears the person's data from memory.
    window.location.assign("/deleted")
  }
  return (
    <Panel
      title="Delete account"
      description="Deletes your records, journal, API key, passkeys and sessions immediately and permanently, and revokes access at the vendors. First export the data you want to keep."
    >
      <ConfirmDialog
        trigger="Delete my account"
        title="Delete everything?"
        confirmLabel="Delete everything"
        canConfirm={isComplete && values.address.trim().toLowerCase() === user.email}
        onConfirm={confirmDeletion}
      >
        <p>This cannot be undone. Backups that the operator has made before keep your data until they are deleted.</p>
        {is_owner && <p>{is_alone ? LAST_OWNER : OWNER_OF_OTHERS}</p>}
        <div className="flex flex-col gap-3 text-text">
          <TextField label={`Type ${user.email} to confirm`} autoComplete="off" {...field("address")} />
          <ConfirmationField {...input} failure={remove.error} />
        </div>
      </ConfirmDialog>
    </Panel>
  )
}

const LAST_OWNER =
  "You are the owner and the only person here. Afterwards the page is a set-up again, and the person who has its code becomes the owner."
const OWNER_OF_OTHERS =
  "You are the owner. The others keep their accounts, and none of them becomes the owner by it. The operator appoints one with: restwell people set-owner EMAIL"
