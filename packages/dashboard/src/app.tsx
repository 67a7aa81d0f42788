import { lazy, Suspense } from "react"
import { Route, Switch } from "wouter"
import { ButtonLink } from "./components/button.tsx"
import { Skeleton } from "./components/notice.tsx"
import { Page } from "./components/page.tsx"
import { Shell } from "./components/shell.tsx"
import { TodayPage } from "./pages/today.tsx"

const NotFoundPage = () => (
  <Page title="Page not found" subtitle="Check the address. The page may have moved.">
    <div>
      <ButtonLink to="/">Go to Today</ButtonLink>
    </div>
  </Page>
)

const SignInPage = lazy(() => import("./pages/sign-in.tsx"))
const SetupPage = lazy(() => import("./pages/setup.tsx"))
const SignUpPage = lazy(() => import("./pages/sign-up.tsx"))
const ForgotPasswordPage = lazy(() => import("./pages/forgot-password.tsx"))
const ResetPage = lazy(() => import("./pages/reset.tsx"))
const InvitePage = lazy(() => import("./pages/invite.tsx"))
const StartPage = lazy(() => import("./pages/start.tsx"))
const TrendsPage = lazy(() => import("./pages/trends.tsx"))
const InsightsPage = lazy(() => import("./pages/insights.tsx"))
const DeveloperPage = lazy(() => import("./pages/developer.tsx"))
const ConnectionsPage = lazy(() => import("./pages/connections.tsx"))
const SourcesPage = lazy(() => import("./pages/sources.tsx"))
const ServicePage = lazy(() => import("./pages/service.tsx"))
const AccountPage = lazy(() => import("./pages/account.tsx"))

/** Every page by its path. The server serves this application at the same paths: `server/src/http/service/pages.ts`. */
export const App = () => (
  <Suspense fallback={<Skeleton className="m-8 h-40" />}>
    <Switch>
      <Route path="/sign-in" component={SignInPage} />
      <Route path="/setup" component={SetupPage} />
      <Route path="/sign-up" component={SignUpPage} />
      <Route path="/forgot-password" component={ForgotPasswordPage} />
      <Route path="/reset" component={ResetPage} />
      <Route path="/invite" component={InvitePage} />
      <Route>
        <Shell>
          <Suspense fallback={<Skeleton className="h-64" />}>
            <Switch>
              <Route path="/" component={TodayPage} />
              <Route path="/start" component={StartPage} />
              <Route path="/trends" component={TrendsPage} />
              <Route path="/insights" component={InsightsPage} />
              <Route path="/developer" component={DeveloperPage} />
              <Route path="/connections" component={ConnectionsPage} />
              <Route path="/sources" component={SourcesPage} />
              <Route path="/service" component={ServicePage} />
              <Route path="/account" component={AccountPage} />
              <Route component={NotFoundPage} />
            </Switch>
          </Suspense>
        </Shell>
      </Route>
    </Switch>
  </Suspense>
)
