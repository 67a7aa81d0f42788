export * from "./account/account.ts"
export * from "./account/audit.ts"
export * from "./account/chart.ts"
export * from "./account/home-assistant.ts"
export * from "./account/imports.ts"
export * from "./account/keys.ts"
export * from "./account/notifications.ts"
export * from "./account/own-journal.ts"
export * from "./account/pages.ts"
export * from "./account/people.ts"
export * from "./account/preferences.ts"
export * from "./account/push-subscriptions.ts"
export * from "./account/service.ts"
export * from "./account/shares.ts"
export * from "./account/sign-in.ts"
export * from "./account/sources.ts"
export { DELIVERIES, type Delivery, type Vendor } from "./account/vendors.ts"
export * from "./account/webhooks.ts"
export { createClient } from "./client/create-client.ts"
export * from "./client/errors.ts"
export type {
  Answer,
  CallOptions,
  CompareQuestion,
  DateRange,
  DayQuestion,
  FactorName,
  FromDate,
  HealthClient,
  JournalRange,
  LastDays,
  MetricName,
  MetricsQuestion,
  PointType,
  RelateQuestion,
  SeriesQuestion,
  SignsQuestion,
  SourceChoice,
  SportsQuestion,
  TrendQuestion,
  WorkoutRange,
} from "./client/health-client.ts"
export type { ClientOptions, Quota } from "./client/settings.ts"
export * from "./health-provider.ts"
export * from "./rest/day.ts"
export * from "./rest/error.ts"
export {
  type ComparedPeriod,
  ComparedPeriodSchema,
  type CompareResponse,
  CompareResponseSchema,
  type DatedFigure,
  DIFFERENCE_VERDICTS,
  type DifferenceVerdict,
  type Figure,
  type MetricExtras,
  MetricExtrasSchema,
  TREND_VERDICTS,
  type TrendResponse,
  TrendResponseSchema,
  type TrendVerdict,
} from "./rest/insights.ts"
export * from "./rest/metric.ts"
export * from "./rest/query.ts"
export * from "./rest/reader.ts"
export * from "./rest/records.ts"
export * from "./rest/relate.ts"
export * from "./rest/rounding.ts"
export * from "./rest/series.ts"
export * from "./rest/source.ts"
export { editDistance, nearestName } from "./rest/suggest.ts"
export * from "./rest/summary.ts"
export * from "./rest/trends.ts"
