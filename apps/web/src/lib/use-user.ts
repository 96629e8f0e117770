import type { SignedInUser } from '@nephos/contracts';
import { trpc } from './trpc.ts';

/** The signed-in person; known before anything of the console renders. */
export function useUser(): SignedInUser {
  const [user] = trpc.auth.user.useSuspenseQuery();
  return user;
}
