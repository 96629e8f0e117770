import type { Framework } from '@nephos/contracts';
import { findProject } from '../find-project.ts';
import type { Answer, Intent } from '../intent.ts';
import { block, bold, bullets, code, numbered, paragraphs } from '../markdown.ts';
import { read } from '../read.ts';

export const deployFromGit: Intent = {
  name: 'deploy-from-git',
  example: 'How do I deploy from Git?',
  scopes: ['general'],
  matches: [
    ['deploy', 'git'],
    ['how', 'deploy'],
    ['how', 'deploy', 'project'],
    ['connect', 'git'],
    ['how', 'git', 'deploy'],
    // How to put a site online.
    ['how', 'project', 'status'],
    ['change', 'project', 'git'],
  ],
  unless: ['fail', 'kubernetes', 'mobile', 'rollback', 'redeploy'],
  async *answer(turn): Answer {
    const runtimes = yield* read(turn, ['projects', 'runtimes'], {});
    return paragraphs(
      numbered([
        'On **Deployments**, choose **New Project**, and enter the public https address of the repository and its branch.',
        'Choose the framework. Its first deployment is queued at once; the project’s **Log** tab shows it live.',
        'After a push, the project’s **Deploy** button takes the newest commit of the branch. The version before serves until the new one is healthy.',
      ]),
      'What each framework needs:',
      bullets([
        '`nodejs`: a `package.json` with a start script, listening on the port in `PORT`',
        '`static`: an `index.html`, or a build script that makes one in `dist`, `build`, `out` or `public`',
        '`python`: a `Procfile` with a web line, `main.py` or `app.py`',
      ]),
      ...runtimes
        .filter(({ available }) => !available)
        .map(({ framework, reason }) => `This server cannot run ${code(framework)}: ${reason}`),
    );
  },
};

export const redeploy: Intent = {
  name: 'redeploy',
  example: 'How do I redeploy?',
  scopes: ['general'],
  about: ['project'],
  matches: [
    ['redeploy'],
    ['again', 'deploy'],
    ['redeploy', 'project'],
    ['redeploy', 'deploy'],
    ['how', 'redeploy', 'deploy'],
  ],
  unless: ['fail'],
  async *answer(turn): Answer {
    const { project } = yield* findProject(turn);
    return paragraphs(
      `Open ${project ? bold(project.name) : 'the project'} on **Deployments** and press **Deploy**. I only read, so I cannot do it for you. With an access token for writing:`,
      block(
        'sh',
        `curl -X POST -H "Authorization: Bearer $TOKEN" <console>/api/projects/${project?.id ?? '<id>'}/deployments`,
      ),
    );
  },
};

export const rollback: Intent = {
  name: 'rollback',
  example: 'How do I roll back?',
  scopes: ['general'],
  about: ['project'],
  matches: [['rollback'], ['rollback', 'deploy'], ['rollback', 'project'], ['how', 'rollback', 'deploy']],
  async *answer(turn): Answer {
    const { project } = yield* findProject(turn);
    const how =
      'On the project’s page, **Roll back** beside a deployment starts its kept release again, without a build, and with the settings of that time.';
    if (!project) return how;
    const deployments = yield* read(turn, ['deployments', 'list'], { id: project.id, limit: 20 });
    const kept = deployments.filter(({ releaseKept, id }) => releaseKept && id !== project.liveDeploymentId);
    return paragraphs(
      how,
      kept.length === 0
        ? `${bold(project.name)} has no earlier release that is kept, so deploy an earlier commit instead.`
        : `${bold(project.name)} can go back to:`,
      bullets(
        kept.map(({ commit, commitMessage, createdAt }) =>
          `${code((commit ?? 'no commit').slice(0, 7))} of ${createdAt.slice(0, 16).replace('T', ' ')} UTC ${commitMessage ? code(commitMessage) : ''}`.trim(),
        ),
      ),
    );
  },
};

/** How an app comes by a variable. */
const READING: Readonly<Record<Framework, string>> = {
  nodejs: 'Node.js reads one as `process.env.NAME`.',
  python: 'Python reads one as `os.environ["NAME"]`.',
  static:
    'A static site has them only while it is built, and what its build writes into it is public: no secrets there. Vite takes up those that begin with `VITE_`.',
};

export const variables: Intent = {
  name: 'variables',
  example: 'Which environment variables does my app have?',
  scopes: ['general', 'kubernetes'],
  about: ['project'],
  matches: [
    ['variable'],
    ['variable', 'project'],
    ['list', 'variable'],
    ['how', 'variable'],
    ['change', 'variable'],
    ['change', 'variable', 'how'],
    ['change', 'variable', 'project'],
    ['change', 'variable', 'project', 'how'],
    ['have', 'variable'],
    ['list', 'variable', 'have'],
  ],
  unless: ['mobile'],
  async *answer(turn): Answer {
    const { projects, project: named } = yield* findProject(turn);
    const project = named ?? (projects.length === 1 ? projects[0] : undefined);
    const how = paragraphs(
      'Set them on the project’s **Environment** tab; the next deployment uses them, while it builds and while it runs. Their values are sealed, masked in the log from six characters on, and never shown again.',
      `The app has besides ${code('PORT')}, which nothing changes, and ${code('HOST=127.0.0.1')} and ${code('NODE_ENV=production')} unless you set others.`,
    );
    if (!project) return paragraphs(...Object.values(READING), how);
    const names = (yield* read(turn, ['projects', 'variables'], { id: project.id })).map(({ name }) =>
      code(name),
    );
    return paragraphs(
      names.length === 0
        ? `${bold(project.name)} has no environment variables.`
        : `${bold(project.name)} has ${names.join(', ')}.`,
      READING[project.framework],
      how,
    );
  },
};
