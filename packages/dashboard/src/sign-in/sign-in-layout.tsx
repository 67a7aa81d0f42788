import { type ReactNode, useEffect } from "react"
import { Logo } from "../components/logo.tsx"

/** Frame of the sign-in and sign-up pages. */
export function SignInLayout({ title, subtitle, children }: { title: string; subtitle: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Restwell`
  }, [title])
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center gap-5 px-4 py-10">
      <Logo />
      <div>
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        <p className="text-sm text-muted">{subtitle}</p>
      </div>
      {children}
      <p className="text-center text-xs text-muted">
        Self-hosted and read-only.{" "}
        <a href="/docs/" className="underline underline-offset-2 hover:text-text">
          Manual
        </a>
      </p>
    </main>
  )
}
