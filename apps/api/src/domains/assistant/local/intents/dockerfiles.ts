/** A Dockerfile for a framework, with the words that name it. */
export interface DockerfileRecipe {
  title: string;
  /** In the normalised question. */
  words: RegExp;
  /** Our own framework that it is for, if any. */
  framework?: 'nodejs' | 'static' | 'python';
  dockerfile: string;
}

/** Builds a site or an app with npm; what is served comes out of this stage. */
const NODE_BUILD = `FROM node:24-alpine AS build
WORKDIR /app
COPY package*.json ./
RUN npm ci
COPY . .
RUN npm run build`;

const NGINX_STAGE = `FROM nginxinc/nginx-unprivileged:1.29-alpine
COPY --from=build /app/dist /usr/share/nginx/html
EXPOSE 8080`;

/** `server` is a package beside those of `requirements.txt`; `prepare`, what the image needs before it can start. */
function pythonFile(parts: { server?: string; prepare?: string; command: string }): string {
  const { server, prepare, command } = parts;
  return [
    'FROM python:3.13-slim',
    'WORKDIR /app',
    'ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PORT=8080',
    'COPY requirements.txt ./',
    `RUN pip install --no-cache-dir -r requirements.txt${server ? ` ${server}` : ''}`,
    'COPY . .',
    ...(prepare ? [prepare] : []),
    'USER 1000',
    'EXPOSE 8080',
    `CMD ${command}`,
  ].join('\n');
}

/** The more particular first: a Next.js app is a Node.js app too. */
export const DOCKERFILES: readonly DockerfileRecipe[] = [
  {
    title: 'Next.js (with `output: "standalone"` in `next.config`)',
    words: /\bnext ?(?:js)?\b/,
    dockerfile: `${NODE_BUILD}

FROM node:24-alpine
WORKDIR /app
ENV NODE_ENV=production HOSTNAME=0.0.0.0 PORT=8080
COPY --from=build --chown=node:node /app/.next/standalone ./
COPY --from=build --chown=node:node /app/.next/static ./.next/static
COPY --from=build --chown=node:node /app/public ./public
USER node
EXPOSE 8080
CMD ["node", "server.js"]`,
  },
  {
    title: 'a site built by Vite (React, Vue, Svelte)',
    words: /\b(?:vite|react|vue|svelte|preact|solid|angular|astro)\b/,
    dockerfile: `${NODE_BUILD}

${NGINX_STAGE}`,
  },
  {
    title: 'Django',
    words: /\bdjango\b/,
    dockerfile: pythonFile({
      server: 'gunicorn',
      prepare: 'RUN python manage.py collectstatic --noinput',
      command: '["sh", "-c", "exec gunicorn --bind 0.0.0.0:$PORT mysite.wsgi"]',
    }),
  },
  {
    title: 'Flask',
    words: /\bflask\b/,
    dockerfile: pythonFile({
      server: 'gunicorn',
      command: '["sh", "-c", "exec gunicorn --bind 0.0.0.0:$PORT app:app"]',
    }),
  },
  {
    title: 'FastAPI',
    words: /\bfast ?api\b/,
    dockerfile: pythonFile({
      server: 'uvicorn',
      command: '["sh", "-c", "exec uvicorn main:app --host 0.0.0.0 --port $PORT"]',
    }),
  },
  {
    title: 'Python',
    words: /\bpython\b/,
    framework: 'python',
    dockerfile: pythonFile({ command: '["python", "main.py"]' }),
  },
  {
    title: 'Go',
    words: /\b(?:go|golang)\b/,
    dockerfile: `FROM golang:1.25-alpine AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -ldflags="-s -w" -o /app .

FROM gcr.io/distroless/static:nonroot
COPY --from=build /app /app
ENV PORT=8080
EXPOSE 8080
ENTRYPOINT ["/app"]`,
  },
  {
    title: 'Rust',
    words: /\brust\b/,
    dockerfile: `FROM rust:1-slim AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked && cp target/release/app /app

FROM gcr.io/distroless/cc:nonroot
COPY --from=build /app /app
ENV PORT=8080
EXPOSE 8080
ENTRYPOINT ["/app"]`,
  },
  {
    title: 'Java with Spring Boot',
    words: /\b(?:java|spring|spring boot|kotlin)\b/,
    dockerfile: `FROM eclipse-temurin:21-jdk AS build
WORKDIR /src
COPY . .
RUN ./mvnw -B package -DskipTests && cp target/*.jar /app.jar

FROM eclipse-temurin:21-jre
COPY --from=build /app.jar /app.jar
ENV PORT=8080
USER 1000
EXPOSE 8080
CMD ["sh", "-c", "exec java -jar /app.jar --server.port=$PORT"]`,
  },
  {
    title: 'PHP',
    words: /\b(?:php|laravel|symfony)\b/,
    dockerfile: `FROM composer:2 AS vendor
WORKDIR /app
COPY composer.json composer.lock ./
RUN composer install --no-dev --no-scripts --prefer-dist

FROM php:8.4-apache
RUN sed -i 's/Listen 80/Listen 8080/' /etc/apache2/ports.conf \\
  && sed -i 's/:80>/:8080>/; s#/var/www/html#/var/www/html/public#' /etc/apache2/sites-available/000-default.conf
COPY . /var/www/html
COPY --from=vendor /app/vendor /var/www/html/vendor
USER www-data
EXPOSE 8080`,
  },
  {
    title: 'Ruby on Rails',
    words: /\b(?:ruby|rails)\b/,
    dockerfile: `FROM ruby:3.4-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends build-essential libpq-dev libyaml-dev
WORKDIR /app
COPY Gemfile Gemfile.lock ./
RUN bundle config set --local without development:test && bundle install
COPY . .
RUN SECRET_KEY_BASE_DUMMY=1 bundle exec rails assets:precompile

FROM ruby:3.4-slim
RUN apt-get update && apt-get install -y --no-install-recommends libpq5 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV RAILS_ENV=production PORT=8080
COPY --from=build /usr/local/bundle /usr/local/bundle
COPY --from=build --chown=1000 /app /app
USER 1000
EXPOSE 8080
CMD ["bundle", "exec", "rails", "server", "-b", "0.0.0.0"]`,
  },
  {
    title: 'a static site',
    words: /\b(?:static|html|website)\b/,
    framework: 'static',
    dockerfile: `FROM nginxinc/nginx-unprivileged:1.29-alpine
COPY . /usr/share/nginx/html
EXPOSE 8080`,
  },
  {
    title: 'Node.js (Express, Fastify, Koa, NestJS)',
    words: /\b(?:node|node ?js|express|fastify|koa|nest|nestjs|javascript|typescript|npm)\b/,
    framework: 'nodejs',
    dockerfile: `FROM node:24-alpine
WORKDIR /app
ENV NODE_ENV=production PORT=8080
COPY package*.json ./
RUN npm ci --omit=dev
COPY . .
USER node
EXPOSE 8080
CMD ["npm", "start"]`,
  },
];
