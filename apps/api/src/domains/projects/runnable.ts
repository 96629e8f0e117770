import type { Framework } from '@nephos/contracts';
import type { Owner } from '../../core/context.ts';
import { isOnlyForThisMachine } from '../../core/env.ts';
import { forbidden, invalid, unavailable } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { awayAt } from '../deployments/engine/container/daemon.ts';
import type { ContainerState, IsolationFact, RuntimeState } from '../deployments/engine/engine.ts';
import { isSandbox } from '../deployments/engine/isolation.ts';
import { faultOfAddress } from '../deployments/engine/source/repository-address.ts';

const TO_ALLOW = 'Set ALLOW_PROCESS_RUNTIME=1 to allow everyone.';
const ADMINS_ONLY = `Only admins can deploy on this server, because apps and builds are not fully sandboxed. ${TO_ALLOW}`;
const ONLY_IMAGES = `Only admins can build on this server, because builds are not fully sandboxed. Deploy an image instead. ${TO_ALLOW}`;

/** What is to be done with someone's code: an app that comes as an image is run, and not built here. */
export interface CodeUse {
  builds: boolean;
}

/** Whose code it is. */
type Trusted = Pick<Owner, 'trust'>;

/** Whether a workspace's code is run and built even where nothing keeps it apart. */
export function isTrusted(settings: Settings, { trust }: Trusted): boolean {
  return trust === 'admin' || isOnlyForThisMachine(settings) || settings.allowProcessRuntime;
}

/**
 * Why someone's code is not run, or not built: others reach this server, and nothing, or not everything, keeps what runs
 * here apart. Null where it is.
 */
export function whyNoCode(
  settings: Settings,
  { trust }: Trusted,
  isolation: readonly IsolationFact[],
  use: CodeUse,
): string | null {
  if (isTrusted(settings, { trust })) return null;
  if (isSandbox(isolation, use)) return null;
  if (isUnknown(settings, isolation)) return awayAt(settings.dockerHost);
  return use.builds && isSandbox(isolation, { builds: false }) ? ONLY_IMAGES : ADMINS_ONLY;
}

/** A daemon that has not answered since the start tells nothing of what it keeps apart. */
function isUnknown({ deployRuntime }: Settings, isolation: readonly IsolationFact[]): boolean {
  return deployRuntime !== 'process' && isolation.length === 0;
}

export function assertMayRunCode(
  settings: Settings,
  owner: Trusted,
  isolation: readonly IsolationFact[],
  use: CodeUse,
): void {
  const reason = whyNoCode(settings, owner, isolation, use);
  if (reason === null) return;
  throw isUnknown(settings, isolation) ? unavailable(reason) : forbidden('FORBIDDEN', reason);
}

/** The runtimes as someone may use them: none, with the reason, where their code is not run. */
export function runtimesFor(
  settings: Settings,
  owner: Trusted,
  deployer: { runtimes(): RuntimeState[]; isolation(): readonly IsolationFact[] },
): RuntimeState[] {
  const reason = whyNoCode(settings, owner, deployer.isolation(), { builds: true });
  if (reason === null) return deployer.runtimes();
  return deployer.runtimes().map((runtime) => ({ ...runtime, available: false, reason }));
}

/** Whether someone's apps may run in containers here. */
export function containersFor(
  settings: Settings,
  owner: Trusted,
  deployer: { containers(): ContainerState; isolation(): readonly IsolationFact[] },
): ContainerState {
  const reason = whyNoCode(settings, owner, deployer.isolation(), { builds: false });
  return reason === null ? deployer.containers() : { available: false, reason };
}

/** Refuses a framework that this server cannot run, with what it lacks. */
export function assertRuntime(runtimes: readonly RuntimeState[], framework: Framework): void {
  const runtime = runtimes.find((candidate) => candidate.framework === framework);
  if (!runtime?.available) {
    throw unavailable(runtime?.reason || `This server cannot run ${framework} projects.`);
  }
}

/** How an operator admits what is not public. */
export const PRIVATE_ADDRESSES = ' Set ALLOW_PRIVATE_REPOSITORIES=1 on the server to allow it.';

/** Refuses what only a setting admits. Where a name leads is checked by the build, when it resolves it. */
export function assertRepositoryAdmitted({ settings }: { settings: Settings }, repositoryUrl: string): void {
  if (repositoryUrl === '') return;
  const { allowPrivateRepositories } = settings;
  const fault = faultOfAddress(repositoryUrl, allowPrivateRepositories);
  if (fault === undefined) return;
  const isForbiddenAnyway = faultOfAddress(repositoryUrl, true) !== undefined;
  const remedy = isForbiddenAnyway ? '' : PRIVATE_ADDRESSES;
  const message = `This repository URL is not allowed: ${fault}.${remedy}`;
  throw invalid(message, [{ path: 'repositoryUrl', message }]);
}
