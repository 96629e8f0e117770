import type { contract, Welcome, WorkspaceOfCall } from '@nephos/contracts';
import type { Signups } from '@nephos/contracts/constants';
import type { Context } from '../../core/context.ts';
import type { Identify } from '../../http/caller.ts';
import { type EngineCheck, healthy, off } from '../../platform/engine-check.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import { createToken, listTokens, revokeToken } from './access-tokens.ts';
import { welcomeOf } from './admission.ts';
import { beginConnection, disconnect, listConnections } from './connections.ts';
import { cancelEmailChange, changeEmail, readEmailChange, sweepEmailChanges } from './email-changes.ts';
import { askForPasskey } from './factors/assertions.ts';
import { demandersOf } from './factors/demands.ts';
import { beginTotp, confirmTotp, readFactors, removeTotp, renewRecoveryCodes } from './factors/factors.ts';
import { sweepChallenges } from './factors/passkey-challenges.ts';
import { addPasskey, beginPasskey, removePasskey } from './factors/passkeys.ts';
import { prove } from './factors/prove.ts';
import { createIdentify } from './identify.ts';
import { createKnownDevices, type KnownDevices } from './known-device.ts';
import { addLoginRoutes } from './login.route.ts';
import { sweepPending } from './pending-identities.ts';
import { createPictures, type Pictures, readPicture } from './pictures.ts';
import { sweepResets } from './reset-links.ts';
import { createResets, type Resets } from './resets.ts';
import { changePassword, endOtherSessions, listSessions, revokeSession, updateProfile } from './service.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { allowSignIn, endConsent, readConsent, sweepConsents } from './sign-in-consent.ts';

/** What the domain was made with, its sessions, and what keeps pictures. */
export interface AuthParts extends Pick<Platform, 'settings' | 'log' | 'db' | 'secrets' | 'mail'> {
  sessions: Sessions;
  pictures: Pictures;
  offers: Offers;
  resets: Resets;
  devices: KnownDevices;
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
  const pictures = createPictures({ db, log });
  const resets = createResets(platform);
  const devices = createKnownDevices(platform);
  const parts = { settings, log, db, secrets, mail, sessions, pictures, offers, resets, devices };
  return {
    sessions,
    identify: createIdentify({ db, sessions }),
    handlers: {
      welcome: async ({ ctx }) => ({ ...(await welcomeOf(ctx, settings)), ...offers() }),
      user: ({ ctx }) => ({
        ...{ ...ctx.user, workspace: shownOf(ctx), impersonator: ctx.impersonator ?? null },
      }),
      updateProfile: ({ ctx, input }) => updateProfile(ctx, input),
      picture: ({ ctx, input }) => readPicture(ctx, input.id),
      changePassword: ({ ctx, input, once }) => changePassword(ctx, { db, settings, mail }, input, once),
      sessions: ({ ctx }) => listSessions(ctx),
      revokeSession: ({ ctx, input }) => revokeSession(ctx, input),
      endOtherSessions: ({ ctx }) => endOtherSessions(ctx),
      emailChange: ({ ctx }) => readEmailChange(ctx, mail),
      changeEmail: ({ ctx, input, once }) => changeEmail(ctx, { db, settings, mail }, input, once),
      cancelEmailChange: ({ ctx }) => cancelEmailChange(ctx),
      connections: ({ ctx }) => listConnections(ctx, parts),
      beginConnection: ({ ctx, input }) => beginConnection(ctx, parts, input),
      disconnect: ({ ctx, input }) => disconnect(ctx, parts, input.id),
      signInConsent: ({ ctx }) => readConsent(ctx),
      allowSignIn: ({ ctx, input }) => allowSignIn(ctx, input),
      endSignInConsent: ({ ctx }) => endConsent(ctx),
      tokens: ({ ctx }) => listTokens(ctx),
      createToken: ({ ctx, input }) => createToken(ctx, input),
      revokeToken: ({ ctx, input }) => revokeToken(ctx, input.id),
      factors: async ({ ctx }) => ({
        ...(await readFactors(ctx.db, parts, ctx.user.id)),
        demandedBy: await demandersOf(ctx.db, ctx.user.id),
      }),
      prove: ({ ctx, input, once }) => prove(parts, ctx, input, once),
      beginProof: ({ ctx }) => askForPasskey(ctx.db, parts, { purpose: 'prove', userId: ctx.user.id }),
      beginPasskey: ({ ctx }) => beginPasskey(parts, ctx),
      addPasskey: ({ ctx, input }) => addPasskey(parts, ctx, input),
      removePasskey: ({ ctx, input }) => removePasskey(ctx, input.id),
      beginTotp: ({ ctx }) => beginTotp(parts, ctx),
      confirmTotp: ({ ctx, input: { code }, once }) => confirmTotp(parts, ctx, { code, once }),
      removeTotp: ({ ctx }) => removeTotp(ctx),
      renewRecoveryCodes: ({ ctx }) => renewRecoveryCodes(parts, ctx),
    },
    routes: (app) => addLoginRoutes(app, parts),
    sweeps: {
      sessions: () => sessions.sweep(),
      passwordResets: () => sweepResets(db),
      emailChanges: () => sweepEmailChanges(db),
      pendingIdentities: () => sweepPending(db),
      passkeyChallenges: () => sweepChallenges(db),
      signInConsents: () => sweepConsents(db),
    },
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

/** The workspace of a call; null where it named none of the caller's. */
function shownOf({ workspace }: Pick<Context, 'workspace'>): WorkspaceOfCall | null {
  if (!workspace) return null;
  const { id, name, personal, role } = workspace;
  return { id, name, personal, role };
}

/** Who can make accounts. */
function signupsCheck({ signups }: Platform['settings']): EngineCheck {
  return { id: 'signups', name: 'Sign-ups', settings: ['SIGNUPS'], ...SIGNUPS_CHECKS[signups] };
}
