import type { CycleData } from "./cycle.ts"
import type { ProfileData } from "./profile.ts"
import type { RecoveryData } from "./recovery.ts"
import type { SleepData } from "./sleep.ts"
import type { WorkoutData } from "./workout.ts"

/** Where a provider takes its access token from, and hands rotated ones back to. */
export interface TokenProvider {
  /** The access token as last stored; it may have expired. */
  getAccessToken(): Promise<string>
  /** The refresh token, or null where the provider gave none. */
  getRefreshToken(): Promise<string | null>
  /** Stores a new pair before it is used. A refresh token left out stays as it is. */
  updateTokens(accessToken: string, refreshToken?: string, expiresAt?: Date): Promise<void>
  /** True when the access token has expired or is about to. */
  isExpired(): Promise<boolean>
}

/** A source of one person's health data in normalised shapes. Both dates are instants: `startDate` inclusive, `endDate` exclusive. */
export interface HealthProvider {
  /** The provider's name in lower case, as it prefixes every id: `whoop`. */
  readonly name: string
  getSleep(startDate: Date, endDate: Date): Promise<SleepData[]>
  getRecovery(startDate: Date, endDate: Date): Promise<RecoveryData[]>
  getWorkouts(startDate: Date, endDate: Date): Promise<WorkoutData[]>
  getCycles(startDate: Date, endDate: Date): Promise<CycleData[]>
  getProfile(): Promise<ProfileData>
}
