import { Activity, ChartLine, ChartScatter, CodeXml, Layers2, Link2, type LucideIcon, Server, User } from "lucide-react"
import type { ReactNode } from "react"
import { Link, useLocation } from "wouter"
import { useAccount } from "../api/account.ts"

export const Logo = () => (
  <span className="inline-flex items-center gap-2 font-semibold tracking-tight">
    <img src="/assets/icon.svg" alt="" width={26} height={26} />
    Restwell
  </span>
)

interface PageLink {
  readonly path: string
  readonly label: string
  readonly Icon: LucideIcon
  readonly isWideOnly?: boolean
}

const PAGES = [
  { path: "/", label: "Today", Icon: Activity },
  { path: "/trends", label: "Trends", Icon: ChartLine },
  // A phone has no room for a sixth entry. It reaches this page from Trends.
  { path: "/insights", label: "Insights", Icon: ChartScatter, isWideOnly: true },
  { path: "/developer", label: "API", Icon: CodeXml },
  { path: "/connections", label: "Connections", Icon: Link2 },
  // A phone reaches this page from Connections.
  { path: "/sources", label: "Sources", Icon: Layers2, isWideOnly: true },
  { path: "/account", label: "Account", Icon: User },
] satisfies readonly PageLink[]

/** A phone reaches this page from Account. */
const OWNERS_PAGE: PageLink = { path: "/service", label: "Service", Icon: Server, isWideOnly: true }

/** Frame of every page: the navigation is on the left of a wide screen, and at the bottom of a phone. */
export const Shell = ({ children }: { children: ReactNode }) => (
  <div className="min-h-dvh sm:pl-52">
    <a
      href="#main"
      className="sr-only z-20 rounded-lg bg-surface px-4 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      Skip to content
    </a>
    <nav
      aria-label="Pages"
      className="fixed inset-x-0 bottom-0 z-10 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] sm:inset-y-0 sm:right-auto sm:w-52 sm:border-t-0 sm:border-r sm:p-4"
    >
      <div className="hidden px-2 pt-1 pb-6 sm:block">
        <Link href="/" className="rounded-md">
          <Logo />
        </Link>
      </div>
      <ul className="flex justify-around sm:flex-col sm:gap-1">
        {PAGES.map((page) => (
          <NavigationItem key={page.path} {...page} />
        ))}
        <OwnersItem />
      </ul>
    </nav>
    <main id="main" tabIndex={-1} className="mx-auto max-w-6xl px-4 pt-6 pb-28 outline-none sm:px-8 sm:pt-8 sm:pb-16">
      {children}
    </main>
  </div>
)

function OwnersItem() {
  const { data: account } = useAccount()
  return account?.is_owner ? <NavigationItem {...OWNERS_PAGE} /> : null
}

function NavigationItem({ path, label, Icon, isWideOnly = false }: PageLink) {
  const [location] = useLocation()
  const isCurrent = location === path
  return (
    <li className={`flex-1 sm:flex-none ${isWideOnly ? "max-sm:hidden" : ""}`}>
      <Link
        href={path}
        aria-current={isCurrent ? "page" : undefined}
        className="flex min-h-14 flex-col items-center justify-center gap-0.5 rounded-lg text-[0.6875rem] text-muted hover:text-text aria-[current]:text-text sm:min-h-9 sm:flex-row sm:justify-start sm:gap-3 sm:px-2.5 sm:text-sm sm:hover:bg-raised sm:aria-[current]:bg-raised sm:aria-[current]:font-medium"
      >
        <Icon size={18} aria-hidden="true" />
        {label}
      </Link>
    </li>
  )
}
