import { stripVTControlCharacters } from 'node:util';
import { byteSize } from '../../../../../platform/byte-size.ts';
import { type BaseImages, settingOf, shortName } from '../../dockerfile/base-image.ts';
import { describeExit } from '../../instances/exit.ts';
import { watchOutput } from '../../release/failure-cause.ts';

/** UTF-16 units of a build's output that are looked at, from its end. */
const LOOKED_AT = 32 * 1024;
const MAX_SAID = 300;

/** The part of a build that failed: ' > [build 2/5] RUN npm ci:' between two lines. */
const FAILED_PART = /^ > (?:\[([^\]\n]*)\] ?)?([^\n]*):$/m;
const RUN_FAILED =
  /(?:executor failed running \[[\s\S]*\]|process "[\s\S]*" did not complete successfully): exit code: (\d{1,3})/;
const COPY_FAILED = /"\/?([^"\n]{1,200})"(?: not found)?: not found/;
const IMAGE_PARTS = [
  /^load metadata for (\S+)$/,
  /^resolve image config for (?:docker-image:\/\/)?(\S+)$/,
  /^FROM (?:docker-image:\/\/)?(\S+)/,
];
const BAD_LINE = /dockerfile parse error (?:on )?line (\d+): ([^\n]{1,200})/;
const BAD_STAGE = /target stage "?([^"\s]{1,100})"? could not be found/;

/** What a registry, or the way there, says, and what that means; the first that fits counts. */
const IMAGE_CAUSES: readonly (readonly [RegExp, (name: string) => string])[] = [
  [
    /no match for platform|no matching manifest|does not match the specified platform/,
    () => `it is not made for this server's architecture (${process.arch})`,
  ],
  [
    /lookup ([a-z0-9.-]{1,253})(?: on \S+)?: (?:no such host|.*Temporary failure)/,
    (host) => `the host ${host} was not found`,
  ],
  [/dial tcp|connection refused|i\/o timeout|TLS handshake/, () => 'its registry could not be reached'],
  [/toomanyrequests|429 Too Many/i, () => 'its registry asks to wait: too many pulls'],
  [
    /pull access denied|unauthorized|authorization failed|denied|403 Forbidden|401/i,
    () => 'it does not exist, or it is private',
  ],
  [/not found|manifest unknown/, () => 'there is no such image or tag'],
];

/** Keeps the end of a build's output, to tell by it why the build failed. */
export function watchBuild() {
  let tail = '';
  const commands = watchOutput();
  return {
    add(text: string): void {
      tail = (tail + text).slice(-LOOKED_AT);
      commands.add(text);
    },
    /**
     * Completes 'Build failed: …'. `images` are settings, of which the one is named that could not be had; `syntax` is the
     * image that was to read the Dockerfile, where that could not be had either; `memory` is what the build had, in bytes,
     * where that was used up.
     */
    cause: (
      images: BaseImages,
      { syntax, memory }: { syntax?: string | undefined; memory?: number | undefined } = {},
    ) => causeOf(stripVTControlCharacters(tail), { images, syntax, memory, ofCommand: commands.cause() }),
    /** The image without which it could not go on. */
    missingImage: () => missingImage(stripVTControlCharacters(tail)),
  };
}

interface Known {
  images: BaseImages;
  syntax: string | undefined;
  memory: number | undefined;
  ofCommand: string | undefined;
}

function causeOf(text: string, { images, syntax, memory, ofCommand }: Known): string {
  if (/no space left on device/.test(text)) return "the server's disk is full";
  const [, stage = '', part = ''] = FAILED_PART.exec(text) ?? [];
  const code = RUN_FAILED.exec(text)?.[1];
  if (code !== undefined) return ofRun({ part, stage, code: Number(code), text, memory, ofCommand });
  const image = missingImage(text);
  if (image) return ofImage(image, images, text);
  const file = COPY_FAILED.exec(text)?.[1];
  if (file)
    return `${part.slice(0, MAX_SAID)}: ${file} is not in the repository, or .dockerignore leaves it out`;
  const [, line, fault] = BAD_LINE.exec(text) ?? [];
  if (line) {
    const needs = syntax ? `. Its syntax image ${syntax}, which may know more, could not be had` : '';
    return `line ${line} of the Dockerfile: ${fault}${needs}`;
  }
  const target = BAD_STAGE.exec(text)?.[1];
  if (target) return `the Dockerfile has no stage ${target}`;
  return lastLine(text);
}

interface FailedRun {
  part: string;
  /** For example `build 2/5`. */
  stage: string;
  code: number;
  text: string;
  memory: number | undefined;
  ofCommand: string | undefined;
}

function ofRun({ part, stage, code, text, memory, ofCommand }: FailedRun): string {
  const command = part
    .replace(/^RUN\s+/, '')
    .replace(/--mount=\S+\s+/g, '')
    .replace(/^for file in \/run\/secrets.*?done;\s*/, '');
  const where = stage ? ` (step ${stage})` : '';
  const what = `${command.slice(0, MAX_SAID) || 'a command'}${where}`;
  if (memory !== undefined) return `${what} ran out of memory (${byteSize(memory)})`;
  const cause = /exec format error/i.test(text)
    ? `it is made for another architecture than this server's (${process.arch})`
    : ofCommand;
  const end = describeExit({ code, signal: null });
  return `${what} ${end}${cause ? `: ${cause}` : ''}`;
}

function missingImage(text: string): string | undefined {
  const part = FAILED_PART.exec(text)?.[2] ?? '';
  const name = IMAGE_PARTS.map((shape) => shape.exec(part)?.[1]).find(Boolean);
  return name && shortName(name);
}

function ofImage(image: string, images: BaseImages, text: string): string {
  const [, sentence] = IMAGE_CAUSES.find(([pattern]) => pattern.test(text)) ?? [];
  const [, found = ''] = IMAGE_CAUSES.map(([pattern]) => pattern.exec(text)).find(Boolean) ?? [];
  const setting = settingOf(image, images);
  const remedy = setting ? `. Have an administrator set ${setting} to an image that this server can get` : '';
  return `the image ${image} could not be had because ${sentence?.(found) ?? lastLine(text)}${remedy}`;
}

function lastLine(text: string): string {
  const line = text.trim().split('\n').at(-1) ?? '';
  return line.replace(/^ERROR: /, '').slice(0, MAX_SAID) || 'docker gave no reason';
}
