import type { SignInOptionsResponse } from "@restwell/client"
import { ExternalButtonLink } from "../components/button.tsx"

/** Accounts elsewhere that sign in here; nothing where the operator has set none up. */
export const ProviderLinks = ({ providers }: { providers: SignInOptionsResponse["providers"] }) =>
  providers.map(({ provider, name }) => (
    <ExternalButtonLink key={provider} href={`/api/auth/sign-in/${provider}`}>
      Continue with {name}
    </ExternalButtonLink>
  ))
