import { Notice } from "../components/notice.tsx"
import { SignInLayout, TextLink } from "../sign-in/sign-in-layout.tsx"

/** Where the deletion of an account ends. */
export default function DeletedPage() {
  return (
    <SignInLayout title="Your account is deleted" subtitle="Nothing of it is left in this Restwell.">
      <Notice tone="good" title="All your data is gone.">
        Records, journal, keys and sessions are deleted, and vendors no longer let Restwell read your data. Backups that
        the operator made before keep it until they are deleted.
      </Notice>
      <TextLink href="/sign-in">Sign in with another account</TextLink>
    </SignInLayout>
  )
}
