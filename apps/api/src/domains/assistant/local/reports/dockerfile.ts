import { findProject } from './find.ts';
import type { DockerfileGuide } from './guides.ts';
import { bold, bullets, paragraphs } from './markdown.ts';
import type { Topic } from './report.ts';

/** A Dockerfile for a project; those for a framework that is named are guides. */
export function createDockerfile(guides: readonly DockerfileGuide[]): Topic {
  return {
    name: 'dockerfile',
    example: '',
    scopes: ['container', 'kubernetes'],
    keywords: ['dockerfile*|containeri*|dockeri*', 'build|make docker|container image'],
    async *answer(turn) {
      const { named } = yield* findProject(turn);
      const guide = guides.find(({ framework }) => framework && framework === named?.framework);
      return named && guide
        ? paragraphs(`For ${bold(named.name)}:`, guide.text)
        : paragraphs(
            'For which framework? I have one for each of these:',
            bullets(guides.map(({ title }) => title)),
          );
    },
  };
}
