import {
  PasswordSignInResponseSchema,
  SignedInResponseSchema,
  SignInOptionsResponseSchema,
  SuccessResponseSchema,
} from "@restwell/client"
import { useMutation, useQuery } from "@tanstack/react-query"
import { send } from "./send.ts"

/** The sign-in methods of this service, and whether sign-ups are open. */
export const useSignInOptions = () =>
  useQuery({
    queryKey: ["sign-in-options"],
    queryFn: () => send("/api/auth/options", SignInOptionsResponseSchema),
    staleTime: Number.POSITIVE_INFINITY,
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
