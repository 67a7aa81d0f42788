import { type ReactNode, Suspense } from "react"
import { Route, Switch, useLocation } from "wouter"
import { ButtonLink } from "./components/button.tsx"
import { ErrorBoundary, lazyPage } from "./components/error-boundary.tsx"
import { Skeleton } from "./components/notice.tsx"
import { Page } from "./components/page.tsx"
import { Shell } from "./components/shell.tsx"
import { TodayPage } from "./pages/today.tsx"

const SignInPage = lazyPage(() => import("./pages/sign-in.tsx"))
const SetupPage = lazyPage(() => import("./pages/sign-up.tsx").then(({ SetupPage }) => ({ default: SetupPage })))
const SignUpPage = lazyPage(() => import("./pages/sign-up.tsx"))
const ForgotPasswordPage = lazyPage(() =>
  import("./pages/reset.tsx").then(({ ForgotPasswordPage }) => ({ default: ForgotPasswordPage })),
)
const ResetPage = lazyPage(() => import("./pages/reset.tsx"))
const InvitePage = lazyPage(() => import("./pages/sign-up.tsx").then(({ InvitePage }) => ({ default: InvitePage })))
const DeletedPage = lazyPage(() => import("./pages/sign-in.tsx").then(({ DeletedPage }) => ({ default: DeletedPage })))
const SharedPage = lazyPage(() => import("./pages/shared.tsx"))
const NoManualPage = lazyPage(() =>
  import("./pages/sign-in.tsx").then(({ NoManualPage }) => ({ default: NoManualPage })),
)
const StartPage = lazyPage(() => import("./pages/start.tsx"))
const TrendsPage = lazyPage(() => import("./pages/trends.tsx"))
const WeekPage = lazyPage(() => import("./pages/week.tsx"))
const WorkoutPage = lazyPage(() => import("./pages/workout.tsx"))
const ReportPage = lazyPage(() => import("./pages/report.tsx"))
const InsightsPage = lazyPage(() => import("./pages/insights.tsx"))
const DeveloperPage = lazyPage(() => import("./pages/developer.tsx"))
const ConnectionsPage = lazyPage(() => import("./pages/connections.tsx"))
const NotificationsPage = lazyPage(() => import("./pages/notifications.tsx"))
const AccessPage = lazyPage(() => import("./pages/access.tsx"))
const SourcesPage = lazyPage(() => import("./pages/sources.tsx"))
const ServicePage = lazyPage(() => import("./pages/service.tsx"))
const MorePage = lazyPage(() => import("./pages/more.tsx"))
const AccountPage = lazyPage(() => import("./pages/account.tsx"))

/** Every page by its path. The server serves this application at the same paths: `server/src/http/service/pages.ts`. */
export const App = () => (
  <Suspense fallback={<FirstSkeleton />}>
    <Switch>
      <Route path="/sign-in" component={SignInPage} />
      <Route path="/setup" component={SetupPage} />
      <Route path="/sign-up" component={SignUpPage} />
      <Route path="/forgot-password" component={ForgotPasswordPage} />
      <Route path="/reset" component={ResetPage} />
      <Route path="/invite" component={InvitePage} />
      <Route path="/deleted" component={DeletedPage} />
      <Route path="/shared" component={SharedPage} />
      <Route path="/docs/*" component={NoManualPage} />
      <Route>
        <Shell>
          <PageContent>
            <Switch>
              <Route path="/" component={TodayPage} />
              <Route path="/start" component={StartPage} />
              <Route path="/trends" component={TrendsPage} />
              <Route path="/week" component={WeekPage} />
              <Route path="/workout" component={WorkoutPage} />
              <Route path="/report" component={ReportPage} />
              <Route path="/insights" component={InsightsPage} />
              <Route path="/developer" component={DeveloperPage} />
              <Route path="/connections" component={ConnectionsPage} />
              <Route path="/notifications" component={NotificationsPage} />
              <Route path="/access" component={AccessPage} />
              <Route path="/sources" component={SourcesPage} />
              <Route path="/service" component={ServicePage} />
              <Route path="/more" component={MorePage} />
              <Route path="/account" component={AccountPage} />
              <Route component={NotFoundPage} />
            </Switch>
          </PageContent>
        </Shell>
      </Route>
    </Switch>
  </Suspense>
)

/** Its padding, unlike a margin, moves nothing around it when the page replaces it. */
const FirstSkeleton = () => (
  <div className="p-8">
    <Skeleton className="h-40" />
  </div>
)

/** A page that fails leaves the navigation, and the next page is drawn from scratch. */
function PageContent({ children }: { children: ReactNode }) {
  const [location] = useLocation()
  return (
    <ErrorBoundary key={location}>
      <Suspense fallback={<Skeleton className="h-[70vh]" />}>{children}</Suspense>
    </ErrorBoundary>
  )
}

/** Within the frame, so that every page is one step away. */
const NotFoundPage = () => (
  <Page title="Page not found" subtitle="There is no page at this address. Check it, or start from one of these.">
    <div className="flex flex-wrap gap-2">
      <ButtonLink to="/" look="primary">
        Go to Today
      </ButtonLink>
      <ButtonLink to="/trends">Trends</ButtonLink>
      <ButtonLink to="/more">All pages</ButtonLink>
    </div>
  </Page>
)
