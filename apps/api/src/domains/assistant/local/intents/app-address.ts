import type { Project } from '@nephos/contracts';
import { findProject } from '../find-project.ts';
import type { Answer, Intent } from '../intent.ts';
import { block, bold, bullets, code, paragraphs } from '../markdown.ts';

/** Where a project's app answers, or where one would. */
function addressOf(project: Project | undefined): string {
  if (!project) return 'An app answers at an address of its own, which its card on **Deployments** shows.';
  const state = project.liveDeploymentId ? 'answers' : 'will answer, once a deployment of it runs,';
  return `${bold(project.name)} ${state} at ${code(project.url)}.`;
}

export const appAddress: Intent = {
  name: 'app-address',
  example: 'What is the address of my-app?',
  scopes: ['general'],
  about: ['project'],
  matches: [
    ['address', 'project'],
    ['what', 'address', 'project'],
    ['connect', 'project'],
    ['how', 'connect', 'project'],
  ],
  matchesShort: [['address']],
  unless: ['database', 'domain', 'git', 'image', 'kubernetes', 'mobile', 'fail', 'variable'],
  async *answer(turn): Answer {
    const { projects, project } = yield* findProject(turn);
    if (project || projects.length === 0) return addressOf(project);
    return paragraphs('Your apps:', bullets(projects.map((each) => addressOf(each))));
  },
};

/** Of Nephos as it is: it ends no TLS itself. */
const HOW_TLS = bullets([
  'in front of it a reverse proxy that has a certificate for the console’s name and for `*.<APPS_DOMAIN>`, and hands the `Host` header on',
  '`PUBLIC_URL` with the `https` address of the console, `APPS_DOMAIN`, and the proxy’s address in `TRUST_PROXY`',
]);

export const https: Intent = {
  name: 'https',
  example: 'Does my app have HTTPS?',
  scopes: ['general'],
  about: ['project'],
  matches: [
    ['tls'],
    ['tls', 'project'],
    ['how', 'tls'],
    ['how', 'tls', 'project'],
    ['tls', 'domain'],
    ['how', 'tls', 'domain'],
    ['how', 'tls', 'domain', 'project'],
    ['change', 'tls'],
    ['how', 'change', 'tls', 'project'],
    ['tls', 'have'],
    ['tls', 'have', 'project'],
    ['tls', 'not', 'project'],
  ],
  unless: ['database', 'mobile', 'kubernetes', 'image', 'variable', 'file', 'password', 'token'],
  async *answer(turn): Answer {
    const { projects, project } = yield* findProject(turn);
    const one = project ?? projects[0];
    const isSecure = one?.url.startsWith('https:');
    return paragraphs(
      one ? addressOf(one) : '',
      isSecure
        ? 'So it is encrypted. The certificate is that of the proxy in front of this server: Nephos makes and renews none, and an app needs none of its own.'
        : 'Nephos ends no TLS by itself and makes no certificates. Whoever runs this server can have `https` for all apps and the console at once; that takes',
      isSecure ? '' : HOW_TLS,
      isSecure ? '' : 'Your app stays as it is: it goes on listening on plain `PORT`.',
    );
  },
};

export const databaseTls: Intent = {
  name: 'database-tls',
  example: 'Is the connection to my database encrypted?',
  scopes: ['database'],
  matches: [
    ['tls', 'database'],
    ['tls', 'database', 'connect'],
    ['how', 'tls', 'database', 'connect'],
  ],
  matchesInScope: [['tls'], ['tls', 'connect'], ['how', 'tls']],
  // biome-ignore lint/correctness/useYield: an answer that needs no tool
  async *answer(): Answer {
    return paragraphs(
      'Database servers that Nephos runs itself ask for a password, and have no TLS. On this machine alone, or in a network that you trust, that is enough.',
      'Across any other network, whoever runs this server sets `MANAGED_POSTGRES_URL`, `MANAGED_MYSQL_URL` or `MANAGED_MONGODB_URL` to servers with TLS; of PostgreSQL, an `sslmode` there is handed on in the connection strings.',
    );
  },
};

export const customDomain: Intent = {
  name: 'custom-domain',
  example: 'Can my app have a domain of its own?',
  scopes: ['general'],
  about: ['project'],
  matches: [
    ['domain', 'project'],
    ['point', 'domain', 'project'],
    ['how', 'domain', 'project'],
    ['how', 'point', 'domain', 'project'],
    ['change', 'domain', 'project'],
    ['how', 'change', 'domain', 'project'],
    ['connect', 'domain', 'project'],
    ['how', 'connect', 'domain', 'project'],
    ['have', 'domain', 'project'],
    ['list', 'point', 'domain', 'project'],
  ],
  unless: ['why', 'fail', 'tls', 'mobile', 'kubernetes', 'database'],
  async *answer(turn): Answer {
    const { projects, project } = yield* findProject(turn);
    const one = project ?? (projects.length === 1 ? projects[0] : undefined);
    const host = one ? new URL(one.url).hostname : '<name>.<APPS_DOMAIN>';
    return paragraphs(
      addressOf(one),
      'That is its only address: Nephos attaches no other domains to apps, and a DNS record alone is not enough, since under any other name this server answers with the console.',
      'A reverse proxy of yours can stand in between. It answers for your domain, with its certificate, and asks this server under the app’s own name, for example nginx:',
      block(
        'nginx',
        `server {
  server_name shop.example.com;
  location / {
    proxy_pass ${one ? new URL(one.url).origin.replace(host, '<this server>') : 'http://<this server>'};
    proxy_set_header Host ${host};
  }
}`,
      ),
      'On **DNS**, give your domain an A record with the address of that proxy.',
    );
  },
};
