import { Link, useLocation } from "wouter"
import { nextPath, nextSearch, openNext } from "../api/send.ts"
import { useSignInOptions, useSignUp } from "../api/sign-in.ts"
import { Notice } from "../components/notice.tsx"
import { ProviderLinks, SignInLayout, SignUpForm } from "../sign-in/sign-in-layout.tsx"

export default function SignUpPage() {
  const options = useSignInOptions()
  const signUp = useSignUp()
  const [, navigate] = useLocation()
  const next = nextPath(window.location.search)
  const onSuccess = () => openNext(next === "/" ? "/start" : next, navigate)
  const isClosed = options.data?.sign_up === "closed"
  return (
    <SignInLayout title="Create an account" subtitle="Your account exists only on this server.">
      {isClosed && <Notice tone="fair">Sign-ups are closed. Ask the operator for an account.</Notice>}
      <SignUpForm signUp={signUp} isDisabled={isClosed} onSubmit={(values) => signUp.mutate(values, { onSuccess })} />
      {!isClosed && <ProviderLinks providers={options.data?.providers ?? []} />}
      <p className="text-center text-sm text-muted">
        Already have an account?{" "}
        <Link
          href={`/sign-in${nextSearch(window.location.search)}`}
          className="font-medium text-accent underline underline-offset-2"
        >
          Sign in
        </Link>
      </p>
    </SignInLayout>
  )
}
