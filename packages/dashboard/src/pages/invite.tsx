import { useLocation } from "wouter"
import { useInvitation, useLinkToken, useSignInOptions, useSignUp } from "../api/sign-in.ts"
import { LinkContent, ProviderLinks, SignInLayout, SignUpForm, TextLink } from "../sign-in/sign-in-layout.tsx"

/** Creates an account with an invitation. */
export default function InvitePage() {
  const token = useLinkToken()
  const invitation = useInvitation(token)
  return (
    <SignInLayout title="You are invited" subtitle="Create your account. It exists only on this server.">
      <LinkContent token={token} query={invitation} help={HELP}>
        {({ email }) => <Invited token={token} email={email} />}
      </LinkContent>
      <TextLink href="/sign-in">Already have an account? Sign in</TextLink>
    </SignInLayout>
  )
}

const HELP = <p className="text-sm text-muted">The operator of this server can make a new invitation for you.</p>

function Invited({ token, email }: { token: string; email: string | null }) {
  const options = useSignInOptions()
  const signUp = useSignUp()
  const [, navigate] = useLocation()
  return (
    <>
      <SignUpForm
        signUp={signUp}
        fixedEmail={email}
        onSubmit={(values) =>
          signUp.mutate({ ...values, invitation: token }, { onSuccess: () => navigate("/start", { replace: true }) })
        }
      />
      <ProviderLinks providers={options.data?.providers ?? []} />
    </>
  )
}
