import type { CycleData } from "./cycle.ts"
import type { ProfileData } from "./profile.ts"
import type { RecoveryData } from "./recovery.ts"
import type { SleepData } from "./sleep.ts"
import type { WorkoutData } from "./workout.ts"

/** Supplies a provider with its access token, and stores rotated tokens. */
export interface TokenProvider {
  /** The stored access token, which may have expired. */
  getAccessToken(): Promise<string>
  /** The refresh token; null when the provider issued none. */
  getRefreshToken(): Promise<string | null>
  /** Stores a new pair before it is used. Without `refreshToken` the stored one is kept. */
  updateTokens(accessToken: string, refreshToken?: string, expiresAt?: Date): Promise<void>
  /** True when the access token has expired or is about to expire. */
  isExpired(): Promise<boolean>
}

/** A source of one person's normalised health data. `startDate` is an inclusive instant, `endDate` an exclusive one. */
export interface HealthProvider {
  /** The provider's name in lower case, as it prefixes every id: `whoop`. */
  readonly name: string
  getSleep(startDate: Date, endDate: Date): Promise<SleepData[]>
  getRecovery(startDate: Date, endDate: Date): Promise<RecoveryData[]>
  getWorkouts(startDate: Date, endDate: Date): Promise<WorkoutData[]>
  getCycles(startDate: Date, endDate: Date): Promise<CycleData[]>
  getProfile(): Promise<ProfileData>
}
