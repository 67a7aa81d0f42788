import {
  Activity,
  BookOpen,
  CalendarDays,
  ChartLine,
  ChartScatter,
  CodeXml,
  FileText,
  Layers2,
  Link2,
  type LucideIcon,
  Server,
  User,
} from "lucide-react"

export interface PageLink {
  readonly path: string
  readonly label: string
  readonly Icon: LucideIcon
  /** What the page is for, in the list of all pages. */
  readonly about: string
  /** Only the owner of the service sees it. */
  readonly isOwners?: boolean
  /** Served beside the dashboard, so that it is a page load of its own. */
  readonly isExternal?: boolean
}

/** In the bar of a phone. The others are on the page More. */
export const FIRST_PAGES: readonly PageLink[] = [
  { path: "/", label: "Today", Icon: Activity, about: "Your morning, and any other day" },
  { path: "/trends", label: "Trends", Icon: ChartLine, about: "How your figures change" },
  { path: "/insights", label: "Insights", Icon: ChartScatter, about: "What goes together" },
  { path: "/connections", label: "Connections", Icon: Link2, about: "Your devices, and who reads your data" },
]

export const OTHER_PAGES: readonly PageLink[] = [
  { path: "/week", label: "Your week", Icon: CalendarDays, about: "Seven days beside the seven before" },
  { path: "/report", label: "Report", Icon: FileText, about: "A period on paper, for a coach or a doctor" },
  { path: "/sources", label: "Sources", Icon: Layers2, about: "Which device to use when two recorded the same day" },
  { path: "/developer", label: "API", Icon: CodeXml, about: "Your API key, usage and examples" },
  { path: "/account", label: "Account", Icon: User, about: "Profile, sign-in, preferences and your data" },
  { path: "/service", label: "Service", Icon: Server, about: "This installation and its people", isOwners: true },
  { path: "/docs/", label: "Manual", Icon: BookOpen, about: "How everything works", isExternal: true },
]
