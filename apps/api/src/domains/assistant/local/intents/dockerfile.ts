import { findProject } from '../find-project.ts';
import type { Answer, Intent } from '../intent.ts';
import { block, bold, bullets, paragraphs } from '../markdown.ts';
import { DOCKERFILES } from './dockerfiles.ts';

const IGNORE = block('text', '.git\nnode_modules\n.env\n*.log');

export const dockerfile: Intent = {
  name: 'dockerfile',
  example: 'Write a Dockerfile for FastAPI',
  scopes: ['container', 'kubernetes'],
  about: ['project'],
  takesDetails: true,
  matches: [
    ['dockerfile'],
    ['dockerfile', 'image'],
    ['how', 'dockerfile'],
    ['dockerfile', 'project'],
    ['change', 'dockerfile'],
    ['change', 'dockerfile', 'image'],
    ['how', 'dockerfile', 'image'],
    ['how', 'dockerfile', 'image', 'deploy'],
    ['how', 'dockerfile', 'project', 'image'],
  ],
  unless: ['compose'],
  async *answer(turn): Answer {
    const question = turn.asked.words.join(' ');
    const named = DOCKERFILES.find(({ words }) => words.test(question));
    const { project } = named ? { project: undefined } : yield* findProject(turn);
    const recipe =
      named ?? DOCKERFILES.find(({ framework }) => framework && framework === project?.framework);
    if (!recipe) {
      return paragraphs('For which framework? I know:', bullets(DOCKERFILES.map(({ title }) => title)));
    }
    return paragraphs(
      `A \`Dockerfile\` for ${recipe.title}${project ? `, which ${bold(project.name)} is` : ''}. It runs as a user other than root and listens on 8080:`,
      block('dockerfile', recipe.dockerfile),
      'Keep what does not belong into the image out of it, in `.dockerignore`:',
      IGNORE,
      'Then ask me how to push the image.',
    );
  },
};

const COMPOSE = `services:
  app:
    build: .
    ports: ["8080:8080"]
    environment:
      PORT: "8080"
      DATABASE_URL: postgresql://app:\${DB_PASSWORD}@database:5432/app
    depends_on:
      database: { condition: service_healthy }
    restart: unless-stopped
  database:
    image: postgres:18
    environment:
      POSTGRES_USER: app
      POSTGRES_DB: app
      POSTGRES_PASSWORD: \${DB_PASSWORD:?set it in .env}
    volumes: ["data:/var/lib/postgresql"]
    healthcheck:
      test: ["CMD", "pg_isready", "-U", "app"]
      interval: 5s
      retries: 10
volumes:
  data:`;

export const compose: Intent = {
  name: 'compose',
  example: 'Write a docker-compose file',
  scopes: ['container'],
  matches: [
    ['compose'],
    ['compose', 'image'],
    ['compose', 'image', 'project'],
    ['compose', 'change', 'image'],
    ['compose', 'manifest'],
    ['compose', 'manifest', 'image'],
    ['compose', 'image', 'file'],
    ['compose', 'image', 'file', 'database'],
  ],
  // biome-ignore lint/correctness/useYield: an answer that needs no tool
  async *answer(): Answer {
    return paragraphs(
      'A `compose.yaml` for an app with PostgreSQL, to run both on your own machine:',
      block('yaml', COMPOSE),
      'Put `DB_PASSWORD=…` into `.env`, which stays out of Git, and start with `docker compose up --build`.',
    );
  },
};
