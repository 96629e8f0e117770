import type { OpenApiDocument } from '@nephos/contracts/openapi';
import { type Html, html } from './html.ts';

type Json = Record<string, unknown>;

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required: boolean;
  schema: Json;
}

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { description: string; content?: Record<string, { schema?: Json }> }>;
}

/** A schema in one line, as TypeScript would write its type. */
function typeOf(schema: Json | undefined): string {
  if (!schema) return 'text';
  if (typeof schema.$ref === 'string') return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((part) => typeOf(part as Json)).join(' | ');
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === 'array') return `${typeOf(schema.items as Json)}[]`;
  if (schema.type === 'object') {
    const required = new Set((schema.required ?? []) as string[]);
    const members = Object.entries((schema.properties ?? {}) as Record<string, Json>).map(
      ([name, member]) => `${name}${required.has(name) ? '' : '?'}: ${typeOf(member)}`,
    );
    return `{ ${members.join('; ')} }`;
  }
  const bounds = [
    schema.format,
    schema.minLength && `≥ ${schema.minLength} characters`,
    schema.maxLength && `≤ ${schema.maxLength} characters`,
  ];
  const note = bounds.filter(Boolean).join(', ');
  const type = [schema.type ?? 'anything'].flat().join(' | ');
  return `${type}${note && ` (${note})`}`;
}

function bodyType(part: { content?: Record<string, { schema?: Json }> } | undefined): string | undefined {
  const [media] = Object.entries(part?.content ?? {});
  return media && (media[1].schema ? typeOf(media[1].schema) : media[0]);
}

function operationSection(path: string, method: string, operation: Operation): Html {
  const parameters = (operation.parameters ?? []).filter((parameter) => !parameter.$ref);
  const request = bodyType(operation.requestBody);
  const answers = Object.entries(operation.responses);
  return html`
    <section id="${operation.operationId}" class="border-t border-line py-6">
      <h3 class="text-base font-semibold">
        <code class="font-mono">${method.toUpperCase()} ${path}</code>
      </h3>
      <p class="mt-1 text-muted">${operation.summary}</p>
      <dl class="mt-3 space-y-2 font-mono text-xs">
        ${parameters.map(
          (
            parameter,
          ) => html`<div><dt class="text-muted">${parameter.in}: ${parameter.name}${parameter.required ? '' : '?'}</dt>
            <dd>${typeOf(parameter.schema)}</dd></div>`,
        )}
        ${request && html`<div><dt class="text-muted">body</dt><dd class="break-words">${request}</dd></div>`}
        ${answers.map(([status, answer]) => {
          const body = Number(status) < 400 && bodyType(answer);
          return html`<div><dt class="text-muted">${status} ${answer.description}</dt>
            ${body && html`<dd class="break-words">${body}</dd>`}</div>`;
        })}
      </dl>
    </section>`;
}

function shapeSection([name, schema]: [string, Json]): Html {
  return html`<div class="border-t border-line py-3"><dt class="font-semibold">${name}</dt>
    <dd class="break-words text-xs">${typeOf(schema)}</dd></div>`;
}

/** The API's documentation as a page for people, made from the document for programs. */
export function docsPage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      // The document is ours: each operation has these members.
      operation: operation as unknown as Operation,
    })),
  );
  const tags = [...new Set(operations.map(({ operation }) => operation.tags[0]))];
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API · Nephos</title>
    <script src="/theme.js"></script>
    <link rel="stylesheet" href="/login.css">
  </head>
  <body class="bg-canvas text-fg">
    <main class="mx-auto max-w-4xl px-4 py-12">
      <h1 class="text-2xl font-semibold">Nephos API</h1>
      <p class="mt-2 text-muted">
        Every call takes and gives JSON. Sign in with <code class="font-mono">POST /api/login</code> and send its cookie.
        Errors are <code class="font-mono">{ message, code, requestId, fields? }</code>. Writes may carry an
        <code class="font-mono">Idempotency-Key</code>. For programs: <a class="underline" href="/api/openapi.json">openapi.json</a>.
      </p>
      ${tags.map(
        (tag) => html`<h2 class="mt-10 mb-2 text-lg font-semibold">${tag}</h2>
          ${operations
            .filter(({ operation }) => operation.tags[0] === tag)
            .map(({ path, method, operation }) => operationSection(path, method, operation))}`,
      )}
      <h2 class="mt-10 mb-2 text-lg font-semibold">Shapes</h2>
      <dl class="font-mono">${Object.entries(document.components.schemas as Record<string, Json>).map(shapeSection)}</dl>
    </main>
  </body>
</html>`.toString();
}
