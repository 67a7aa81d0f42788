/**
 * What the connector's tools need of core: errors, dates, scopes and columns. It loads no database, so that `restwell mcp`, which asks a
 * running service over HTTP, answers soon after its start.
 */
export {
  HEALTH_SCOPES,
  type HealthScope,
  SCOPE_OF,
  SUMMARY_SCOPES,
} from "./assistants/scopes.ts"
export { countDates, offsetText, resolveDateRange } from "./base/calendar.ts"
export { plainText } from "./base/plain-text.ts"
export {
  Forbidden,
  InvalidRequest,
  NotFound,
  QuotaExceeded,
  ServiceError,
  Unauthorized,
  Unavailable,
} from "./context/errors.ts"
export { csvOf, fieldsOf, LIST_TYPES } from "./read/columns.ts"
export { groupOfMetric, METRIC_GROUPS } from "./read/metric-groups.ts"
export { databaseTrouble } from "./store/database-trouble.ts"
