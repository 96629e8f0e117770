import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssistantScope, Framework } from '@nephos/contracts';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Topic } from './report.ts';

/** The comment at the top of a guide. */
const Heading = z.strictObject({
  example: z.string().default(''),
  scopes: z.array(AssistantScope).default([]),
  keywords: z.array(z.string()),
  keywordsInScope: z.array(z.string()).default([]),
  keywordsAlone: z.array(z.string()).default([]),
  /** Which of our frameworks a Dockerfile is for. */
  framework: Framework.optional(),
  /** What a Dockerfile is for. */
  title: z.string().optional(),
});

const PARTS = /^<!--\n([\s\S]*?)\n-->\n([\s\S]*)$/;

/** A Dockerfile for one framework. */
export interface DockerfileGuide {
  title: string;
  framework: Framework | undefined;
  /** Markdown. */
  text: string;
  topic: Topic;
}

/** Reads what is the same for everybody: the Markdown files of `guides`, by their names in order. */
export function readGuides(): { guides: Topic[]; dockerfiles: DockerfileGuide[] } {
  const folder = join(import.meta.dirname, '../guides');
  const files = readdirSync(folder).sort();
  const read = files.map((file) => guideOf(file, readFileSync(join(folder, file), 'utf8')));
  const isDockerfile = ({ topic }: DockerfileGuide) => topic.name.startsWith('dockerfile-');
  return {
    guides: read.filter((guide) => !isDockerfile(guide)).map(({ topic }) => topic),
    dockerfiles: read.filter(isDockerfile),
  };
}

function guideOf(file: string, source: string): DockerfileGuide {
  const [, heading = '', text = ''] = PARTS.exec(source) ?? [];
  const { framework, title = '', ...topic } = Heading.parse(parse(heading));
  const answer = text.trim();
  return {
    title,
    framework,
    text: answer,
    topic: {
      ...topic,
      name: file.replace('.md', ''),
      // biome-ignore lint/correctness/useYield: an answer that needs no tool
      async *answer() {
        return answer;
      },
    },
  };
}
