import type { Deployment, Project } from '@nephos/contracts';
import { findProject, latestOf } from '../find-project.ts';
import type { Answer, Intent, LocalTurn } from '../intent.ts';
import { block, bold, code, paragraphs, plain } from '../markdown.ts';
import { read } from '../read.ts';
import { diagnose } from './diagnose.ts';

const LOG_LINES = 200;
const DEPLOYMENTS = 20;
/** Other projects that failed, of which the names are told. */
const OTHERS = 5;

export const failedDeployment: Intent = {
  name: 'failed-deployment',
  example: 'What failed in my last deployment?',
  scopes: ['general', 'kubernetes', 'container'],
  about: ['project'],
  matches: [
    ['fail', 'deploy'],
    ['fail', 'project'],
    ['fail', 'last'],
    ['why', 'deploy', 'not'],
    ['why', 'project', 'not'],
  ],
  matchesShort: [['fail'], ['why', 'fail'], ['why']],
  unless: ['domain', 'mobile', 'money', 'database', 'advice'],
  async *answer(turn): Answer {
    const { projects, project: named } = yield* findProject(turn);
    const project = named ?? latestFailure(projects) ?? latestOf(projects);
    if (!project) return 'You have no projects yet, so nothing was deployed and nothing failed.';
    const deployments = yield* read(turn, ['deployments', 'list'], { id: project.id, limit: DEPLOYMENTS });
    const [latest] = deployments;
    if (!latest) return `${bold(project.name)} was never deployed. Its **Deploy** button does that.`;
    const failed = deployments.find(({ status }) => status === 'failed');
    if (!failed) return fine(project, latest);
    return paragraphs(
      failed.id === latest.id ? '' : `${fine(project, latest)} The last one that failed:`,
      yield* explain(turn, project, failed),
      named ? '' : othersThatFailed(projects, project),
    );
  },
};

function latestFailure(projects: readonly Project[]): Project | undefined {
  return latestOf(projects.filter(({ latestDeployment }) => latestDeployment?.status === 'failed'));
}

function othersThatFailed(projects: readonly Project[], told: Project): string {
  const others = projects.filter(
    ({ id, latestDeployment }) => id !== told.id && latestDeployment?.status === 'failed',
  );
  const names = others.slice(0, OTHERS).map(({ name }) => bold(name));
  const more = others.length > OTHERS ? ' and others' : '';
  return others.length === 0 ? '' : `Failed too: ${names.join(', ')}${more}. Ask why by the name.`;
}

function fine({ name }: Project, { status }: Deployment): string {
  return `The last deployment of ${bold(name)} did not fail: it is ${status}.`;
}

async function* explain(turn: LocalTurn, project: Project, failed: Deployment): Answer {
  const { text } = yield* read(turn, ['deployments', 'logTail'], { id: failed.id, lines: LOG_LINES });
  const { cause, fix, lines } = diagnose(failed, text);
  const commit = failed.commit ? ` of ${code(failed.commit.slice(0, 7))}` : '';
  return paragraphs(
    `The deployment${commit} of ${bold(project.name)} failed at the step **${failed.step ?? 'queue'}**: ${plain(failed.error ?? '')}`,
    cause && `**Cause.** ${cause}`,
    lines && `The log says:\n\n${block('text', lines)}`,
    fix && `**Fix.** ${fix}`,
    project.liveDeploymentId ? `The version before still answers at ${code(project.url)}.` : '',
  );
}
