import type { contract } from '@nephos/contracts';
import type { Keyed } from '@nephos/contracts/implement';
import type { UserContext } from '../../core/context.ts';
import { unavailable } from '../../core/errors.ts';
import { checkEngines, type EngineCheck } from '../../platform/engine-check.ts';
import { readJobs } from '../../platform/jobs-list.ts';
import type { Platform } from '../../platform/platform.ts';
import { changeDemand, readDemand } from '../auth/factors/demands.ts';
import type { Certificates } from '../certificates/certificates.ts';
import { issueOwnCertificate } from '../certificates/own-orders.ts';
import type { DeploymentEngine } from '../deployments/engine/engine.ts';
import type { Domain } from '../domain.ts';
import type { InstallationBackups } from '../installation-backups/installation-backups.ts';
import { cancelRun, listRuns } from '../installation-backups/runs.ts';
import type { RemovalParts } from '../workspaces/removal.ts';
import { changeRole } from './change-role.ts';
import { changeSettings, followSettings, readInstallationSettings } from './installation-settings.ts';
import { createInvitation, listInvitations, revokeInvitation } from './invitations.ts';
import { runJobNow, takeJobOut } from './jobs.ts';
import {
  changePersonsEmail,
  disablePerson,
  enablePerson,
  endPersonsAccess,
  makePasswordLink,
  removeSecondFactor,
  signInAs,
} from './keep-out.ts';
import { changeLimits, limitsOf } from './limits.ts';
import { listAllPayments, listAllSubscriptions, listAllUsage, listPeople, readTotals } from './lists.ts';
import { addProofRoute } from './public-address.ts';
import { contentsOfPerson, removePerson } from './remove-person.ts';
import { sendTestMail } from './test-mail.ts';

/**
 * What administrators see of everyone, and decide. `engines` gives what the whole server runs on, `cluster` the machines
 * that apps run on, `orders` what the server's own certificates come by, `closing` what empties workspaces, `backups` what
 * backs all of it up.
 */
export async function createAdmin(
  platform: Pick<Platform, 'settings' | 'log' | 'mail' | 'db' | 'secrets' | 'notifications'>,
  { engines }: { engines(): readonly EngineCheck[] },
  { cluster }: Pick<DeploymentEngine, 'cluster'>,
  {
    orders,
    closing,
    backups,
  }: Pick<Certificates, 'orders'> & RemovalParts & { backups: InstallationBackups },
): Promise<Domain<typeof contract.admin>> {
  const { settings, log, mail, secrets } = platform;
  const following = followSettings(platform);
  // Before anybody asks: sign-ups may be closed.
  await following.load();
  return {
    start: () => following.start(),
    stop: () => following.stop(),
    routes: (app) => addProofRoute(app, { settings, secrets }),
    handlers: {
      settings: () => readInstallationSettings(settings),
      changeSettings: ({ input, once }) => changeSettings({ settings, secrets, following }, input, once),
      secondFactor: ({ ctx }) => readDemand(ctx, null),
      demandSecondFactor: ({ ctx, input }) => changeDemand(ctx, null, input.demanded),
      totals: ({ ctx }) => readTotals(ctx),
      users: ({ ctx, input }) => listPeople(ctx, input),
      subscriptions: ({ ctx, input }) => listAllSubscriptions(ctx, input),
      payments: ({ ctx, input }) => listAllPayments(ctx, input),
      usage: ({ ctx, input }) => listAllUsage(ctx, input),
      changeRole: ({ ctx, input }) => changeRole(ctx, input),
      disable: ({ ctx, input }) => disablePerson(ctx, input),
      enable: ({ ctx, input }) => enablePerson(ctx, input),
      endAccess: ({ ctx, input }) => endPersonsAccess(ctx, input),
      passwordLink: ({ ctx, input }) => makePasswordLink(ctx, settings, input),
      removeSecondFactor: ({ ctx, input }) => removeSecondFactor(ctx, { settings, mail }, input),
      signInAs: ({ ctx, input }) => signInAs(ctx, secrets, input),
      changeEmail: ({ ctx, input }) => changePersonsEmail(ctx, input),
      userContents: ({ ctx, input }) => contentsOfPerson(ctx, input),
      removeUser: ({ ctx, input }) => removePerson(ctx, { closing, settings }, input),
      limits: ({ ctx, input }) => limitsOf(ctx, settings, input.ownerId),
      setLimits: ({ ctx, input }) => changeLimits(ctx, settings, input),
      invitations: ({ ctx }) => listInvitations(ctx),
      createInvitation: ({ ctx, input }) => createInvitation(ctx, { settings, mail }, input),
      revokeInvitation: ({ ctx, input }) => revokeInvitation(ctx, input),
      issueCertificate: ({ ctx, input }) => issueOwnCertificate(ctx, { settings, orders }, input),
      backups: ({ ctx }) => listRuns(ctx.db),
      startBackup: ({ ctx, input: { kind } }) => backups.begin(ctx, kind),
      async cancelBackup({ ctx, input: { id } }) {
        await cancelRun(ctx.db, id);
        return { success: true };
      },
      jobs: ({ ctx }) => readJobs(ctx.db),
      retryJob: ({ ctx, input: { id } }) => runJobNow(ctx, mail, id),
      cancelJob: ({ ctx, input: { id } }) => takeJobOut(ctx, id),
      engines: () => checkEngines(engines(), log),
      sendTestMail: ({ ctx, once }) => sendTestMail(ctx, mail, once),
      joinCommand: ({ input, key, once }) => joinCommand(cluster, input, { key, once }),
    },
  };
}

/** Without a key Docker is asked before there is a transaction; with one inside, since a repetition must not renew again. */
async function joinCommand(
  cluster: DeploymentEngine['cluster'],
  options: { renew: boolean },
  { key, once }: Keyed<UserContext>,
) {
  if (!cluster) throw unavailable('Apps run on this machine alone. Set DEPLOY_RUNTIME=swarm to add others.');
  const reason = cluster.reason();
  if (reason !== '') throw unavailable(reason);
  const ask = async () => ({ joinCommand: await cluster.joinCommand(options) });
  if (key) return once(ask);
  const answer = await ask();
  return once(async () => answer);
}
