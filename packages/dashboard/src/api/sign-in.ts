import {
  InvitationResponseSchema,
  PasswordSignInResponseSchema,
  ResetLinkResponseSchema,
  SignedInResponseSchema,
  SignInOptionsResponseSchema,
  SuccessResponseSchema,
} from "@restwell/client"
import { useMutation, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { send } from "./send.ts"

/** The sign-in methods of this service, and whether sign-ups are open. */
export const useSignInOptions = () =>
  useQuery({
    queryKey: ["sign-in-options"],
    queryFn: () => send("/api/auth/options", SignInOptionsResponseSchema),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Whether the browser has a session already. A page that asks for a password asks only who has none. */
export const useIsSignedIn = () =>
  useQuery({
    queryKey: ["is-signed-in"],
    queryFn: async () => (await fetch("/api/account", { method: "HEAD", credentials: "same-origin" })).ok,
    retry: false,
    gcTime: 0,
  })

export const useSignIn = () =>
  useMutation({
    mutationFn: (body: { email: string; password: string }) =>
      send("/api/auth/sign-in/email", PasswordSignInResponseSchema, { method: "POST", body }),
  })

/** The second step, if the first one asks for a code. */
export const useCodeSignIn = () =>
  useMutation({
    mutationFn: (code: string) =>
      send("/api/auth/sign-in/code", SignedInResponseSchema, { method: "POST", body: { code } }),
  })

export const useSignUp = () =>
  useMutation({
    mutationFn: (body: { name: string; email: string; password: string; invitation?: string }) =>
      send("/api/auth/sign-up/email", SignedInResponseSchema, { method: "POST", body }),
  })

export const useSignOut = () =>
  useMutation({ mutationFn: () => send("/api/auth/sign-out", SuccessResponseSchema, { method: "POST" }) })

/** The token of the link that was opened, empty without one. It is removed from the address, so that no history keeps it. */
export function useLinkToken(): string {
  const [token] = useState(() => window.location.hash.slice(1))
  useEffect(() => window.history.replaceState(null, "", window.location.pathname), [])
  return token
}

/** A link that is not valid any more does not become valid. */
const ONCE = { staleTime: Number.POSITIVE_INFINITY, retry: false, gcTime: 0 }

export const useResetLink = (token: string) =>
  useQuery({
    ...ONCE,
    queryKey: ["reset-link", token],
    queryFn: () => send("/api/auth/reset-link", ResetLinkResponseSchema, { method: "POST", body: { token } }),
    enabled: token !== "",
  })

export const useInvitation = (token: string) =>
  useQuery({
    ...ONCE,
    queryKey: ["invitation", token],
    queryFn: () => send("/api/auth/invitation", InvitationResponseSchema, { method: "POST", body: { token } }),
    enabled: token !== "",
  })

export const useResetPassword = () =>
  useMutation({
    mutationFn: (body: { token: string; newPassword: string }) =>
      send("/api/auth/reset-password", PasswordSignInResponseSchema, { method: "POST", body }),
  })

export const useForgotPassword = () =>
  useMutation({
    mutationFn: (email: string) =>
      send("/api/auth/forgot-password", SuccessResponseSchema, { method: "POST", body: { email } }),
  })
