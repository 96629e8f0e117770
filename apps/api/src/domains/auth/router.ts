import { auth } from '@nephos/contracts';
import { implement } from '../../trpc.ts';
import { createToken, listTokens, revokeToken } from './access-tokens.ts';
import { changePassword, listSessions, revokeSession, updateProfile } from './service.ts';

export const authRouter = implement(auth, {
  user: ({ ctx }) => ctx.user,
  updateProfile: ({ ctx, input }) => updateProfile(ctx, input),
  changePassword: ({ ctx, input }) => changePassword(ctx, input),
  sessions: ({ ctx }) => listSessions(ctx),
  revokeSession: ({ ctx, input }) => revokeSession(ctx, input),
  tokens: ({ ctx }) => listTokens(ctx),
  createToken: ({ ctx, input }) => createToken(ctx, input),
  revokeToken: ({ ctx, input }) => revokeToken(ctx, input.id),
});
