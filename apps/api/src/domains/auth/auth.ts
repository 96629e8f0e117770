import type { contract, Welcome } from '@nephos/contracts';
import type { Signups } from '@nephos/contracts/constants';
import type { Identify } from '../../http/caller.ts';
import { type EngineCheck, healthy, off } from '../../platform/engine-check.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import { createToken, listTokens, revokeToken } from './access-tokens.ts';
import { welcomeOf } from './admission.ts';
import { createIdentify } from './identify.ts';
import { addLoginRoutes } from './login.route.ts';
import { createPictures, type Pictures, readPicture } from './pictures.ts';
import { sweepResets } from './reset-links.ts';
import { createResets, type Resets } from './resets.ts';
import { changePassword, listSessions, revokeSession, updateProfile } from './service.ts';
import { createSessions, type Sessions } from './sessions.ts';

/** What the domain was made with, its sessions, and what keeps pictures. */
export interface AuthParts extends Pick<Platform, 'settings' | 'log' | 'db' | 'secrets' | 'mail'> {
  sessions: Sessions;
  pictures: Pictures;
  offers: Offers;
  resets: Resets;
}

/** What other domains offer to somebody who is not in yet. */
export type Offers = () => Pick<Welcome, 'membersDeploy' | 'databases' | 'dns'>;

/** Accounts, the ways into them, and who a request is from. */
export function createAuth(
  platform: Pick<Platform, 'settings' | 'log' | 'db' | 'secrets' | 'jobs' | 'mail'>,
  offers: Offers,
): Domain<typeof contract.auth> & {
  sessions: Sessions;
  identify: Identify;
} {
  const { settings, log, db, secrets, mail } = platform;
  const sessions = createSessions({ db, secure: settings.publicUrl.protocol === 'https:' });
  const pictures = createPictures({ db, log, settings });
  const resets = createResets(platform);
  const parts = { settings, log, db, secrets, mail, sessions, pictures, offers, resets };
  return {
    sessions,
    identify: createIdentify({ db, sessions }),
    handlers: {
      welcome: async ({ ctx }) => ({ ...(await welcomeOf(ctx, settings)), ...offers() }),
      user: ({ ctx }) => ctx.user,
      updateProfile: ({ ctx, input }) => updateProfile(ctx, input),
      picture: ({ ctx, input }) => readPicture(ctx, input.id),
      changePassword: ({ ctx, input }) => changePassword(ctx, input),
      sessions: ({ ctx }) => listSessions(ctx),
      revokeSession: ({ ctx, input }) => revokeSession(ctx, input),
      tokens: ({ ctx }) => listTokens(ctx),
      createToken: ({ ctx, input }) => createToken(ctx, input),
      revokeToken: ({ ctx, input }) => revokeToken(ctx, input.id),
    },
    routes: (app) => addLoginRoutes(app, parts),
    sweeps: { sessions: () => sessions.sweep(), passwordResets: () => sweepResets(db) },
    engines: () => [signupsCheck(settings)],
    stop: () => pictures.stop(),
  };
}

const SIGNUPS_CHECKS = {
  open: { running: 'Open', look: () => healthy('Anyone can create an account.') },
  invite: {
    running: 'Invite-only',
    look: () => off('An invitation is required. Invite people on the Users tab.'),
  },
  closed: { running: 'Closed', look: () => off('Nobody can create an account, even with an invitation.') },
} as const satisfies Record<Signups, Pick<EngineCheck, 'running' | 'look'>>;

/** Who can make accounts. */
function signupsCheck({ signups }: Platform['settings']): EngineCheck {
  return { id: 'signups', name: 'Sign-ups', settings: ['SIGNUPS'], ...SIGNUPS_CHECKS[signups] };
}
