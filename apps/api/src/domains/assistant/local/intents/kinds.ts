import { byteSize } from '../../../../platform/byte-size.ts';
import type { Concept } from '../concepts.ts';
import type { Answer, LocalTurn } from '../intent.ts';
import { bold, bullets, code, counted, paragraphs, plain } from '../markdown.ts';
import { type Newest, type Reading, readNewest, readWhole } from '../read.ts';

/** A kind of resource: what calls it to mind, and how it is listed. */
export interface Kind {
  concept: Concept;
  noun: string;
  /** What to do where there is none. */
  first: string;
  lines(turn: LocalTurn): Lines;
}

/** A line of Markdown for each. */
type Lines = Reading<Newest<string>>;

function linesOf<T>({ rows, isAll }: Newest<T>, line: (row: T) => string): Newest<string> {
  return { rows: rows.map(line), isAll };
}

async function* projectLines(turn: LocalTurn): Lines {
  return linesOf(yield* readNewest(turn, 'projects'), ({ name, framework, url, latestDeployment }) => {
    const state = latestDeployment ? `last deployment ${latestDeployment.status}` : 'never deployed';
    return `${bold(name)} (${framework}, ${state})${latestDeployment?.status === 'running' ? ` at ${code(url)}` : ''}`;
  });
}

async function* databaseLines(turn: LocalTurn): Lines {
  return linesOf(
    yield* readNewest(turn, 'databases'),
    ({ name, type, region, storageSize, status, error }) =>
      `${bold(name)} (${type}, ${region}, ${storageSize} GB): ${status}${error && `. ${plain(error)}`}`,
  );
}

async function* imageLines(turn: LocalTurn): Lines {
  return linesOf(
    yield* readNewest(turn, 'containers'),
    ({ name, tag, isPublic, size, pullCount, digest }) =>
      `${code(`${name}:${tag}`)} (${isPublic ? 'public' : 'private'}): ${
        digest ? `${byteSize(size)}, ${counted(pullCount, 'pull')}` : 'registered, not pushed yet'
      }`,
  );
}

async function* fileLines(turn: LocalTurn): Lines {
  return linesOf(
    yield* readNewest(turn, 'storage'),
    ({ filePath, fileName, fileSize, isPublic }) =>
      `${code(filePath + fileName)} (${isPublic ? 'public' : 'private'}, ${byteSize(fileSize)})`,
  );
}

async function* domainLines(turn: LocalTurn): Lines {
  return linesOf(
    yield* readWhole(turn, ['dns', 'zones']),
    ({ domain, recordCount, status }) => `${code(domain)}: ${counted(recordCount, 'record')}, ${status}`,
  );
}

async function* mobileAppLines(turn: LocalTurn): Lines {
  return linesOf(
    yield* readNewest(turn, 'mobileApps'),
    ({ name, platform, bundleId, version, buildNumber, buildStatus }) =>
      `${bold(name)} (${platform}, ${code(bundleId)}, ${version} (${buildNumber})): ${buildStatus}`,
  );
}

async function* installationLines(turn: LocalTurn): Lines {
  return linesOf(
    yield* readWhole(turn, ['marketplace', 'installations']),
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
  if (found.rows.length === 0) return `You have no ${noun}s yet. Begin with ${first}.`;
  return paragraphs(
    `You have ${countOf(found, noun)}${found.isAll ? '' : '; the newest'}:`,
    bullets(found.rows),
  );
}

/** How many there are, as far as the first page tells. */
export function countOf({ rows, isAll }: Newest<unknown>, noun: string): string {
  return isAll ? counted(rows.length, noun) : `${rows.length} or more ${noun}s`;
}
