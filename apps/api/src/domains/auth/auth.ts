import type { contract, Welcome, WorkspaceOfCall } from '@nephos/contracts';
import type { Context } from '../../core/context.ts';
import type { Identify } from '../../http/caller.ts';
import { type EngineCheck, healthy, off } from '../../platform/engine-check.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import { createToken, listTokens, revokeToken } from './access-tokens.ts';
import { welcomeOf } from './admission.ts';
import { askForPasskey } from './factors/assertions.ts';
import { beginTotp, confirmTotp, readFactors, removeTotp, renewRecoveryCodes } from './factors/factors.ts';
import { sweepChallenges } from './factors/passkey-challenges.ts';
import { addPasskey, beginPasskey, removePasskey } from './factors/passkeys.ts';
import { prove } from './factors/prove.ts';
import { createIdentify } from './identify.ts';
import { addLoginRoutes } from './login.route.ts';
import { createPictures, type Pictures, readPicture } from './pictures.ts';
import { changePassword, listSessions, revokeSession, updateProfile } from './service.ts';
import { createSessions, type Sessions } from './sessions.ts';

/** What the domain was made with, its sessions, and what keeps pictures. */
export interface AuthParts extends Pick<Platform, 'settings' | 'log' | 'db' | 'secrets'> {
  sessions: Sessions;
  pictures: Pictures;
  offers: Offers;
}

/** What other domains offer to somebody who is not in yet. */
export type Offers = () => Pick<Welcome, 'membersDeploy' | 'databases' | 'dns'>;

/** Accounts, the ways into them, and who a request is from. */
export function createAuth(
  { settings, log, db, secrets }: Pick<Platform, 'settings' | 'log' | 'db' | 'secrets'>,
  offers: Offers,
): Domain<typeof contract.auth> & {
  sessions: Sessions;
  identify: Identify;
} {
  const sessions = createSessions({ db, secure: settings.publicUrl.protocol === 'https:' });
  const pictures = createPictures({ db, log, settings });
  const parts: AuthParts = { settings, log, db, secrets, sessions, pictures, offers };
  return {
    sessions,
    identify: createIdentify({ db, sessions }),
    handlers: {
      welcome: async ({ ctx }) => ({ ...(await welcomeOf(ctx, settings)), ...offers() }),
      user: ({ ctx }) => ({ ...ctx.user, workspace: shownOf(ctx) }),
      updateProfile: ({ ctx, input }) => updateProfile(ctx, input),
      picture: ({ ctx, input }) => readPicture(ctx, input.id),
      changePassword: ({ ctx, input }) => changePassword(ctx, input),
      sessions: ({ ctx }) => listSessions(ctx),
      revokeSession: ({ ctx, input }) => revokeSession(ctx, input),
      tokens: ({ ctx }) => listTokens(ctx),
      createToken: ({ ctx, input }) => createToken(ctx, input),
      revokeToken: ({ ctx, input }) => revokeToken(ctx, input.id),
      factors: ({ ctx }) => readFactors(ctx.db, parts, ctx.user.id),
      prove: ({ ctx, input }) => prove(parts, ctx, input),
      beginProof: ({ ctx }) => askForPasskey(ctx.db, parts, { purpose: 'prove', userId: ctx.user.id }),
      beginPasskey: ({ ctx }) => beginPasskey(parts, ctx),
      addPasskey: ({ ctx, input }) => addPasskey(parts, ctx, input),
      removePasskey: ({ ctx, input }) => removePasskey(ctx, input.id),
      beginTotp: ({ ctx }) => beginTotp(parts, ctx),
      confirmTotp: ({ ctx, input }) => confirmTotp(parts, ctx, input.code),
      removeTotp: ({ ctx }) => removeTotp(ctx),
      renewRecoveryCodes: ({ ctx }) => renewRecoveryCodes(parts, ctx),
    },
    routes: (app) => addLoginRoutes(app, parts),
    sweeps: { sessions: () => sessions.sweep(), passkeyChallenges: () => sweepChallenges(db) },
    engines: () => [signupsCheck(settings)],
    stop: () => pictures.stop(),
  };
}

/** The workspace of a call; null where it named none of the caller's. */
function shownOf({ workspace }: Pick<Context, 'workspace'>): WorkspaceOfCall | null {
  if (!workspace) return null;
  const { id, name, personal, role } = workspace;
  return { id, name, personal, role };
}

/** Whether strangers can make accounts. */
function signupsCheck({ signups }: Platform['settings']): EngineCheck {
  return {
    id: 'signups',
    name: 'Sign-ups',
    running: signups === 'open' ? 'Open' : 'Closed',
    settings: ['SIGNUPS'],
    look: () =>
      signups === 'open'
        ? healthy('Anyone can create an account.')
        : off('An invitation is required. Invite people on the Users tab.'),
  };
}
