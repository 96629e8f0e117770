import { type AssistantScope, shortImage } from '@nephos/contracts';
import { byteSize } from '../../../../platform/byte-size.ts';
import { bold, bullets, code, counted, paragraphs, plain } from './markdown.ts';
import { hasKeywords } from './question.ts';
import { type Newest, type Reading, readNewest, readWhole } from './read.ts';
import type { Answer, LocalTurn, Topic } from './report.ts';

/** A kind of resource: what people call it, and how it is listed. */
interface Kind {
  /** A slot of `hasKeywords`. */
  called: string;
  noun: string;
  /** What to do where there is none. */
  first: string;
  /** A line of Markdown for each. */
  lines(turn: LocalTurn): Reading<Newest<string>>;
}

const KINDS: readonly Kind[] = [
  {
    called: 'mobile|android|ios',
    noun: 'mobile app',
    first: '**New Mobile App** on **Mobile Apps**',
    lines: async function* (turn) {
      return each(yield* readNewest(turn, 'mobileApps'), (app) => {
        const { name, platform, bundleId, version, buildNumber, buildStatus } = app;
        return `${bold(name)} (${platform}, ${code(bundleId)}, ${version} (${buildNumber})): ${buildStatus}`;
      });
    },
  },
  {
    called: 'project*|app|apps|site*|website*|deployment*',
    noun: 'project',
    first: '**New Project** on **Deployments**',
    lines: async function* (turn) {
      return each(
        yield* readNewest(turn, 'projects'),
        ({ name, framework, image, url, latestDeployment }) => {
          const state = latestDeployment ? `last deployment ${latestDeployment.status}` : 'never deployed';
          const at = latestDeployment?.status === 'running' ? ` at ${code(url)}` : '';
          const source = image ? `image ${code(shortImage(image))}` : framework;
          return `${bold(name)} (${source}, ${state})${at}`;
        },
      );
    },
  },
  {
    called: 'database*|db|dbs|postgres*|mysql|mongo*|redis|valkey',
    noun: 'database',
    first: '**New Database** on **Databases**',
    lines: async function* (turn) {
      return each(yield* readNewest(turn, 'databases'), ({ name, type, storageSize, status, error }) => {
        return `${bold(name)} (${type}, ${storageSize} GB): ${status}${error && `. ${plain(error)}`}`;
      });
    },
  },
  {
    called: 'image*|container*|registry',
    noun: 'container image',
    first: '**Register Image** on **Container Registry**',
    lines: async function* (turn) {
      return each(yield* readNewest(turn, 'containers'), (image) => {
        const { name, tag, isPublic, size, pullCount, digest } = image;
        const state = digest ? `${byteSize(size)}, ${counted(pullCount, 'pull')}` : 'not pushed yet';
        return `${code(`${name}:${tag}`)} (${isPublic ? 'public' : 'private'}): ${state}`;
      });
    },
  },
  {
    called: 'domain*|dns|record*|zone*',
    noun: 'domain',
    first: '**Add Record** on **DNS**',
    lines: async function* (turn) {
      return each(yield* readWhole(turn, ['dns', 'zones']), ({ domain, recordCount, status }) => {
        return `${code(domain)}: ${counted(recordCount, 'record')}, ${status}`;
      });
    },
  },
  {
    called: 'file*|storage|upload*',
    noun: 'file',
    first: '**Upload File** on **Storage**',
    lines: async function* (turn) {
      return each(yield* readNewest(turn, 'storage'), ({ filePath, fileName, fileSize, isPublic }) => {
        return `${code(filePath + fileName)} (${isPublic ? 'public' : 'private'}, ${byteSize(fileSize)})`;
      });
    },
  },
  {
    called: 'installation*|installed',
    noun: 'installation',
    first: '**Install** on **Marketplace**',
    lines: async function* (turn) {
      return each(yield* readWhole(turn, ['marketplace', 'installations']), ({ itemId, status, error }) => {
        return `${code(itemId)}: ${status}${error && `. ${plain(error)}`}`;
      });
    },
  },
];

/** What a tab is about, where the question does not say. */
const NOUN_OF_SCOPE: Partial<Record<AssistantScope, string>> = {
  database: 'database',
  container: 'container image',
};

/** Rows of one kind, where all kinds are listed. */
const SHOWN = 5;

const ASKS = 'what|which|list|show|many|have|my|overview';

export const inventory: Topic = {
  name: 'inventory',
  example: 'List my resources',
  scopes: ['general', 'database', 'container'],
  keywords: [
    'what have',
    'list|show everything',
    'overview',
    ...KINDS.map(({ called }) => `${ASKS} ${called}`),
  ],
  keywordsAlone: ['inventory|resources', ...KINDS.map(({ called }) => called)],
  async *answer(turn) {
    const asked = KINDS.find(({ called }) => hasKeywords(turn.words, called));
    const isAll = turn.words.includes('everything');
    const ofTab = isAll ? undefined : KINDS.find(({ noun }) => noun === NOUN_OF_SCOPE[turn.scope]);
    const kind = asked ?? ofTab;
    return kind ? yield* listKind(turn, kind) : yield* everything(turn);
  },
};

function each<T>({ rows, isAll }: Newest<T>, line: (row: T) => string): Newest<string> {
  return { rows: rows.map(line), isAll };
}

async function* everything(turn: LocalTurn): Answer {
  const all: string[] = [];
  for (const { noun, lines } of KINDS) {
    const found = yield* lines(turn);
    if (found.rows.length === 0) continue;
    const others = found.rows.length > SHOWN ? '\n- and others' : '';
    all.push(paragraphs(`**${countOf(found, noun)}**`, bullets(found.rows.slice(0, SHOWN))) + others);
  }
  if (all.length === 0) return 'You have nothing yet. Start with **New Project** on **Deployments**.';
  return paragraphs('You have:', ...all);
}

async function* listKind(turn: LocalTurn, { noun, first, lines }: Kind): Answer {
  const found = yield* lines(turn);
  if (found.rows.length === 0) return `You have no ${noun}s yet. Start with ${first}.`;
  const newest = found.isAll ? '' : '; the newest are';
  return paragraphs(`You have ${countOf(found, noun)}${newest}:`, bullets(found.rows));
}

/** How many there are, as far as the first page tells. */
function countOf({ rows, isAll }: Newest<unknown>, noun: string): string {
  return isAll ? counted(rows.length, noun) : `${rows.length} or more ${noun}s`;
}
