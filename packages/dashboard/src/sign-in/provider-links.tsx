import type { SignInOptionsResponse } from "@restwell/client"
import { nextSearch } from "../api/sign-in-path.ts"
import { ExternalButtonLink } from "../components/button.tsx"

/** Links to sign in with other services, such as Google. */
export const ProviderLinks = ({ providers }: { providers: SignInOptionsResponse["providers"] }) =>
  providers.map(({ provider, name }) => (
    <ExternalButtonLink key={provider} href={`/api/auth/sign-in/${provider}${nextSearch(window.location.search)}`}>
      Continue with {name}
    </ExternalButtonLink>
  ))
