import {
  Activity,
  Bell,
  BookOpen,
  CalendarDays,
  ChartLine,
  ChartScatter,
  CodeXml,
  Ellipsis,
  Eye,
  FileText,
  Layers2,
  Link2,
  type LucideIcon,
  Server,
  User,
  Watch,
} from "lucide-react"
import { type ReactNode, useState } from "react"
import { Link, useLocation } from "wouter"
import { hasSeveralSources, useAccount } from "../api/account.ts"
import { useFollowSession } from "../api/browser-push.ts"
import { useShownFrom } from "../api/send.ts"
import { useKeepAhead } from "../offline/offline.ts"
import { Notice } from "./notice.tsx"
import { Instant } from "./time-ago.tsx"

export interface PageLink {
  readonly path: string
  readonly label: string
  readonly Icon: LucideIcon
  /** What the page is for, in the list of all pages. */
  readonly about: string
  /** Only the owner of the service sees it. */
  readonly isOwners?: boolean
  /** Only of use to a person with two sources or more. */
  readonly isForSeveral?: boolean
  /** Served beside the dashboard, so that it is a page load of its own. */
  readonly isExternal?: boolean
}

/** In the bar of a phone. The others are on the page More. */
const FIRST_PAGES: readonly PageLink[] = [
  { path: "/", label: "Today", Icon: Activity, about: "Your morning, and any other day" },
  { path: "/trends", label: "Trends", Icon: ChartLine, about: "How your figures change" },
  { path: "/week", label: "Week", Icon: CalendarDays, about: "Your last seven days, beside the seven before" },
  { path: "/insights", label: "Insights", Icon: ChartScatter, about: "What goes together" },
]

/** In place of Today until there is a device. */
const GET_STARTED: PageLink = { path: "/start", label: "Get started", Icon: Watch, about: "Say what you wear" }

const OTHER_PAGES: readonly PageLink[] = [
  { path: "/connections", label: "Connections", Icon: Link2, about: "Your devices, and how to add one" },
  {
    path: "/notifications",
    label: "Notifications",
    Icon: Bell,
    about: "A message each morning, rules, and where they are sent",
  },
  { path: "/report", label: "Report", Icon: FileText, about: "A printable page for a coach or a doctor" },
  {
    path: "/sources",
    label: "Sources",
    Icon: Layers2,
    about: "Which device to use when two recorded the same day",
    isForSeveral: true,
  },
  { path: "/access", label: "Access", Icon: Eye, about: "Who reads your data: assistants, and every read" },
  { path: "/developer", label: "API", Icon: CodeXml, about: "Your API key, usage and examples" },
  { path: "/account", label: "Account", Icon: User, about: "Profile, sign-in, preferences and your data" },
  { path: "/service", label: "Service", Icon: Server, about: "This installation and its people", isOwners: true },
  { path: "/docs/", label: "Manual", Icon: BookOpen, about: "How everything works", isExternal: true },
]

export const Logo = () => (
  <span className="inline-flex items-center gap-2 font-semibold tracking-tight">
    <img src="/assets/icon.svg" alt="" width={26} height={26} />
    Restwell
  </span>
)

const MORE: PageLink = { path: "/more", label: "More", Icon: Ellipsis, about: "All other pages" }

/** Frame of every page: the navigation is on the left of a wide screen, and at the bottom of a phone. */
export function Shell({ children }: { children: ReactNode }) {
  useKeepAhead()
  useFollowSession()
  return (
    <div className="min-h-dvh sm:pl-52 print:min-h-0 print:pl-0">
      <a
        href="#main"
        className="sr-only z-20 rounded-lg bg-surface px-4 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <nav
        aria-label="Pages"
        className="fixed inset-x-0 bottom-0 z-10 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] sm:inset-y-0 sm:right-auto sm:w-52 sm:overflow-y-auto sm:border-t-0 sm:border-r sm:p-4 print:hidden"
      >
        <div className="hidden px-2 pt-1 pb-6 sm:block">
          <Link href="/" className="rounded-md">
            <Logo />
          </Link>
        </div>
        <ul className="flex justify-around sm:flex-col sm:gap-1">
          <FirstItems />
          <OtherItems />
        </ul>
      </nav>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto max-w-6xl px-4 pt-6 pb-28 outline-none sm:px-8 sm:pt-8 sm:pb-16 print:max-w-none print:p-0"
      >
        <OfflineNotice />
        {children}
      </main>
    </div>
  )
}

/** Pages that the person may open, and that have something for them. */
export function useOtherPages(): readonly PageLink[] {
  const { data: account } = useAccount()
  const isOwner = account?.is_owner === true
  const hasSeveral = account !== undefined && hasSeveralSources(account)
  return OTHER_PAGES.filter(
    ({ isOwners = false, isForSeveral = false }) => (isOwner || !isOwners) && (hasSeveral || !isForSeveral),
  )
}

function FirstItems() {
  const { data: account } = useAccount()
  const hasNoDevice = account?.connections.length === 0
  return FIRST_PAGES.map((page) => (
    <NavigationItem key={page.path} page={page.path === "/" && hasNoDevice ? GET_STARTED : page} />
  ))
}

/** On a phone, one entry for all of them. */
function OtherItems() {
  const [location] = useLocation()
  const pages = useOtherPages()
  const isOnOther = location === MORE.path || OTHER_PAGES.some(({ path }) => path === location)
  return (
    <>
      {pages.map((page) => (
        <NavigationItem key={page.path} page={page} className="max-sm:hidden" />
      ))}
      <NavigationItem page={MORE} isCurrent={isOnOther} className="sm:hidden" />
    </>
  )
}

interface NavigationItemProps {
  readonly page: PageLink
  /** @default whether the page is open */
  readonly isCurrent?: boolean
  readonly className?: string
}

const ITEM =
  "flex min-h-14 flex-col items-center justify-center gap-0.5 rounded-lg text-[0.6875rem] text-muted hover:text-text aria-[current]:font-medium aria-[current]:text-text sm:min-h-9 sm:flex-row sm:justify-start sm:gap-3 sm:px-2.5 sm:text-sm sm:hover:bg-raised sm:aria-[current]:bg-raised"

function NavigationItem({
  page: { path, label, Icon, isExternal = false },
  isCurrent,
  className = "",
}: NavigationItemProps) {
  const [location] = useLocation()
  const content = (
    <>
      <Icon size={18} aria-hidden="true" />
      {label}
    </>
  )
  return (
    <li className={`min-w-0 flex-1 sm:flex-none ${className}`}>
      {isExternal ? (
        <a href={path} className={ITEM}>
          {content}
        </a>
      ) : (
        <Link href={path} aria-current={(isCurrent ?? location === path) ? "page" : undefined} className={ITEM}>
          {content}
        </Link>
      )}
    </li>
  )
}

/** Says that the page shows what it last saw, and from when. */
function OfflineNotice() {
  const shownFrom = useShownFrom()
  // A browser that knows it has its place at once, before the first answer comes: then nothing moves down.
  const [startedOffline] = useState(() => !navigator.onLine)
  const { isFetching } = useAccount()
  if (shownFrom === undefined && !(startedOffline && isFetching)) return null
  return (
    <div className="mb-4">
      <Notice tone="fair" title="You are offline">
        This is what Restwell showed{" "}
        {shownFrom === undefined ? (
          "when you last opened it"
        ) : (
          <>
            on <Instant at={shownFrom} />
          </>
        )}
        . It updates when the connection is back.
      </Notice>
    </div>
  )
}
