import type { Deployment, ManagedDatabase, Project } from '@nephos/contracts';
import { diagnose } from './diagnose.ts';
import { findDatabase, findProject } from './find.ts';
import { block, bold, bullets, code, paragraphs, plain } from './markdown.ts';
import { read } from './read.ts';
import type { Answer, LocalTurn, Topic } from './report.ts';

const LOG_LINES = 200;
const DEPLOYMENTS = 20;
/** Other projects that failed, of which the names are told. */
const OTHERS = 5;

const FAILS = 'fail*|broke*|break*|crash*|error*|wrong|problem*|down|dead|stuck|502|503';
const THINGS = 'deploy*|build*|release*|app|apps|project*|site*|website*|service*|last';
const NOT = 'not|doesnt|isnt|wont|cant|cannot|never';

export const failure: Topic = {
  name: 'failure',
  example: 'What failed in my last deployment?',
  scopes: ['general', 'database'],
  keywords: [
    `${FAILS} ${THINGS}`,
    `${FAILS} database*|db|postgres*|mysql|mongo*|redis|valkey`,
    `why|${NOT} ${THINGS} ${NOT}|start|work*|run*|build*`,
  ],
  keywordsAlone: [FAILS, `why ${NOT}`],
  async *answer(turn) {
    const { named, newest } = yield* findProject(turn);
    if (named) return yield* deploymentFailure(turn, named);
    if (isAboutDatabase(turn)) return yield* databaseFailure(turn);
    const project = latestOf(newest.rows.filter(hasFailed)) ?? latestOf(newest.rows);
    if (!project) return 'You have no projects yet, so no deployment has failed.';
    return paragraphs(yield* deploymentFailure(turn, project), othersThatFailed(newest.rows, project));
  },
};

function isAboutDatabase({ scope, words }: LocalTurn): boolean {
  const isOfDeployment = words.some((word) => /^(?:deploy|build|project|app|site)/.test(word));
  return (
    !isOfDeployment &&
    (scope === 'database' ||
      words.some((word) => /^(?:database|db|postgres|mysql|mongo|redis|valkey)/.test(word)))
  );
}

function hasFailed({ latestDeployment }: Project): boolean {
  return latestDeployment?.status === 'failed';
}

/** The project of which something happened last. */
export function latestOf(projects: readonly Project[]): Project | undefined {
  const touched = ({ latestDeployment, createdAt }: Project) => latestDeployment?.createdAt ?? createdAt;
  return projects.toSorted((a, b) => (touched(a) < touched(b) ? 1 : -1))[0];
}

function othersThatFailed(projects: readonly Project[], told: Project): string {
  const others = projects.filter((project) => project.id !== told.id && hasFailed(project));
  const names = others.slice(0, OTHERS).map(({ name }) => bold(name));
  const more = others.length > OTHERS ? ' and others' : '';
  return others.length === 0 ? '' : `Also failed: ${names.join(', ')}${more}. Ask about it by name.`;
}

async function* deploymentFailure(turn: LocalTurn, project: Project): Answer {
  const deployments = yield* read(turn, ['deployments', 'list'], { id: project.id, limit: DEPLOYMENTS });
  const [latest] = deployments;
  if (!latest) return `${bold(project.name)} hasn’t been deployed yet. Choose **Deploy** on its page.`;
  const fine = `The latest deployment of ${bold(project.name)} did not fail. Its status: ${latest.status}.`;
  const failed = deployments.find((deployment) => deployment.status === 'failed');
  if (!failed) return fine;
  return paragraphs(
    failed.id === latest.id ? '' : `${fine} The last one that failed:`,
    yield* explain(turn, project, failed),
  );
}

async function* explain(turn: LocalTurn, project: Project, failed: Deployment): Answer {
  const { text } = yield* read(turn, ['deployments', 'logTail'], { id: failed.id, lines: LOG_LINES });
  const { cause, fix, lines } = diagnose(failed, text);
  const commit = failed.commit ? ` of ${code(failed.commit.slice(0, 7))}` : '';
  return paragraphs(
    `The deployment${commit} of ${bold(project.name)} failed at the **${failed.step ?? 'queue'}** step: ${plain(failed.error ?? '')}`,
    cause && `**Cause.** ${cause}`,
    lines && `From the log:\n\n${block('text', lines)}`,
    fix && `**Fix.** ${fix}`,
    project.liveDeploymentId ? `The previous version is still running at ${code(project.url)}.` : '',
  );
}

async function* databaseFailure(turn: LocalTurn): Answer {
  const { named, newest } = yield* findDatabase(turn);
  const databases = named ? [named] : newest.rows;
  if (databases.length === 0) return 'You have no databases yet, so none failed.';
  const failed = databases.filter((database) => database.status === 'failed');
  if (failed.length === 0) return paragraphs('No database has failed:', bullets(databases.map(stateOf)));
  return paragraphs(
    'These could not be created:',
    bullets(failed.map(({ name, error }) => `${bold(name)}: ${plain(error)}`)),
    'Choose **Retry** on the database’s page.',
  );
}

function stateOf({ name, status }: ManagedDatabase): string {
  return `${bold(name)}: ${status}`;
}
