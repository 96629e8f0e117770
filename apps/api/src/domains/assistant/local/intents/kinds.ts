import { byteSize } from '../../../../platform/byte-size.ts';
import type { Concept } from '../concepts.ts';
import type { Answer, LocalTurn } from '../intent.ts';
import { bold, bullets, code, counted, paragraphs, plain } from '../markdown.ts';
import { PAGE_ROWS, type Reading, read } from '../read.ts';

const PAGE = { limit: PAGE_ROWS };

/** A kind of resource: what calls it to mind, and how it is listed. */
export interface Kind {
  concept: Concept;
  noun: string;
  /** What to do where there is none. */
  first: string;
  lines(turn: LocalTurn): Lines;
}

type Lines = Reading<string[]>;

async function* projectLines(turn: LocalTurn): Lines {
  const projects = yield* read(turn, ['projects', 'list'], PAGE);
  return projects.map(({ name, framework, url, latestDeployment }) => {
    const state = latestDeployment ? `last deployment ${latestDeployment.status}` : 'never deployed';
    return `${bold(name)} (${framework}, ${state})${latestDeployment?.status === 'running' ? ` at ${code(url)}` : ''}`;
  });
}

async function* databaseLines(turn: LocalTurn): Lines {
  const databases = yield* read(turn, ['databases', 'list'], PAGE);
  return databases.map(
    ({ name, type, region, storageSize, status, error }) =>
      `${bold(name)} (${type}, ${region}, ${storageSize} GB): ${status}${error && `. ${plain(error)}`}`,
  );
}

async function* imageLines(turn: LocalTurn): Lines {
  const images = yield* read(turn, ['containers', 'list'], PAGE);
  return images.map(
    ({ name, tag, isPublic, size, pullCount, digest }) =>
      `${code(`${name}:${tag}`)} (${isPublic ? 'public' : 'private'}): ${
        digest ? `${byteSize(size)}, ${counted(pullCount, 'pull')}` : 'registered, not pushed yet'
      }`,
  );
}

async function* fileLines(turn: LocalTurn): Lines {
  const files = yield* read(turn, ['storage', 'list'], PAGE);
  return files.map(
    ({ filePath, fileName, fileSize, isPublic }) =>
      `${code(filePath + fileName)} (${isPublic ? 'public' : 'private'}, ${byteSize(fileSize)})`,
  );
}

async function* domainLines(turn: LocalTurn): Lines {
  const zones = yield* read(turn, ['dns', 'zones'], {});
  return zones.map(
    ({ domain, recordCount, status }) => `${code(domain)}: ${counted(recordCount, 'record')}, ${status}`,
  );
}

async function* mobileAppLines(turn: LocalTurn): Lines {
  const apps = yield* read(turn, ['mobileApps', 'list'], PAGE);
  return apps.map(
    ({ name, platform, bundleId, version, buildNumber, buildStatus }) =>
      `${bold(name)} (${platform}, ${code(bundleId)}, ${version} (${buildNumber})): ${buildStatus}`,
  );
}

async function* installationLines(turn: LocalTurn): Lines {
  const installations = yield* read(turn, ['marketplace', 'installations'], {});
  return installations.map(
    ({ itemId, status, error }) => `${code(itemId)}: ${status}${error && `. ${plain(error)}`}`,
  );
}

export const KINDS: readonly Kind[] = [
  {
    concept: 'mobile',
    noun: 'mobile app',
    first: '**New Mobile App** on **Mobile Apps**',
    lines: mobileAppLines,
  },
  { concept: 'project', noun: 'project', first: '**New Project** on **Deployments**', lines: projectLines },
  { concept: 'deploy', noun: 'project', first: '**New Project** on **Deployments**', lines: projectLines },
  { concept: 'database', noun: 'database', first: '**New Database** on **Databases**', lines: databaseLines },
  {
    concept: 'image',
    noun: 'container image',
    first: '**Register Image** on **Container Registry**',
    lines: imageLines,
  },
  { concept: 'domain', noun: 'domain', first: '**Add Record** on **DNS**', lines: domainLines },
  { concept: 'file', noun: 'file', first: '**Upload File** on **Storage**', lines: fileLines },
  {
    concept: 'marketplace',
    noun: 'installation',
    first: '**Install** on **Marketplace**',
    lines: installationLines,
  },
];

/** How many there are of a kind, and which. */
export async function* listKind(turn: LocalTurn, { noun, first, lines }: Kind): Answer {
  const found = yield* lines(turn);
  if (found.length === 0) return `You have no ${noun}s yet. Begin with ${first}.`;
  const count = found.length < PAGE_ROWS ? counted(found.length, noun) : `${found.length} or more ${noun}s`;
  return paragraphs(`You have ${count}${found.length < PAGE_ROWS ? '' : '; the newest'}:`, bullets(found));
}
