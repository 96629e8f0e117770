import type { Framework, User } from '@nephos/contracts';
import type { Deps } from '../../context.ts';
import { isOnlyForThisMachine } from '../../env.ts';
import { forbidden, invalid, unavailable } from '../../errors.ts';
import { faultOfAddress } from '../deployments/engine/source/repository-address.ts';

const ADMINS_ONLY =
  'This server runs projects as plain processes, which only admins may do unless ALLOW_PROCESS_RUNTIME=1 is set.';

/** Why someone's code is not run: the process runtime, which is no sandbox, is reachable by others. Null where it is. */
export function whyNoCode({ settings }: Pick<Deps, 'settings'>, user: User): string | null {
  if (user.role === 'admin' || isOnlyForThisMachine(settings) || settings.allowProcessRuntime) return null;
  return ADMINS_ONLY;
}

export function assertMayRunCode(deps: Pick<Deps, 'settings'>, user: User): void {
  const reason = whyNoCode(deps, user);
  if (reason !== null) throw forbidden('FORBIDDEN', reason);
}

/** Refuses a framework that this server cannot run, with what it lacks. */
export function assertRuntime({ engine }: Pick<Deps, 'engine'>, framework: Framework): void {
  const runtime = engine.runtimes().find((candidate) => candidate.framework === framework);
  if (!runtime?.available) {
    throw unavailable(runtime?.reason || `This server cannot run ${framework} projects.`);
  }
}

/** Refuses what only a setting admits. Where a name leads is checked by the build, when it resolves it. */
export function assertRepositoryAdmitted({ settings }: Pick<Deps, 'settings'>, repositoryUrl: string): void {
  if (repositoryUrl === '') return;
  const { allowPrivateRepositories } = settings;
  const fault = faultOfAddress(repositoryUrl, allowPrivateRepositories);
  if (fault === undefined) return;
  const remedy = allowPrivateRepositories
    ? ''
    : ' The server admits others with ALLOW_PRIVATE_REPOSITORIES=1.';
  const message = `The repository cannot be cloned: ${fault}.${remedy}`;
  throw invalid(message, [{ path: 'repositoryUrl', message }]);
}
