import { z } from 'zod';
import { ASSISTANT_SCOPES, chatPath, MAX_ASSISTANT_MESSAGE } from './constants.ts';
import { ImageReference } from './containers.ts';
import { readHostName } from './dns-names.ts';
import { bytes, mutation, query, subscription, writesNeed } from './kit.ts';
import { ById, Id, OptionalPage, Success } from './page.ts';
import { line, paragraph } from './text.ts';

export const AssistantScope = z.enum(
  ASSISTANT_SCOPES,
  `Scope must be one of ${ASSISTANT_SCOPES.join(', ')}.`,
);
export type AssistantScope = z.output<typeof AssistantScope>;

/** What is asked about: a field of the person's resources, and one of these where the question is about it alone. */
const Subject = z.object({
  resourceScope: AssistantScope.default('general'),
  /** Id of the person's own database, image or project; which of them, the scope says. */
  resourceId: Id.nullable().default(null),
});

/** A conversation. */
export const AssistantSession = z.object({
  id: Id,
  /** What its last question was about; before that, as it was made. */
  resourceScope: AssistantScope,
  resourceId: Id.nullable(),
  /** The beginning of its first question; '' before that. */
  title: z.string(),
  createdAt: z.iso.datetime(),
  /** When the last message came. */
  updatedAt: z.iso.datetime(),
});
export type AssistantSession = z.output<typeof AssistantSession>;

export const MessageMetadata = z.object({
  /** Which tool was called, in a tool's message. */
  toolName: z.string().optional(),
  /** Who wrote an answer, for example `gpt-5`, or `local`. */
  model: z.string().optional(),
  /** Tokens of the whole turn as the model server counts them; absent where it does not. */
  promptTokens: z.int().optional(),
  completionTokens: z.int().optional(),
  /** The answer ended before its end, because nobody listened, it was stopped, or the model failed. */
  truncated: z.boolean().optional(),
});

export const AssistantMessage = z.object({
  id: Id,
  sender: z.enum(['user', 'assistant', 'tool']),
  /** Markdown of an answer; plain text of the others. */
  content: z.string(),
  metadata: MessageMetadata,
  createdAt: z.iso.datetime(),
});
export type AssistantMessage = z.output<typeof AssistantMessage>;

export const NewAssistantMessage = z.object({
  sessionId: Id,
  /** Left out, it is about what the conversation was about before. */
  resourceScope: AssistantScope.optional(),
  /** Left out with a scope, it is about all of it. */
  resourceId: Id.nullable().optional(),
  message: paragraph(MAX_ASSISTANT_MESSAGE, 'Message').refine((text) => text !== '', 'Enter a message.'),
});

/** One piece of an answer as it comes. After `done` nothing follows; `messages` has it all by then. */
export const ReplyEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool'), toolName: z.string() }),
  /** `error` in one sentence for a person; '' where the answer came to its end or was stopped. */
  z.object({ type: z.literal('done'), truncated: z.boolean(), error: z.string() }),
]);
export type ReplyEvent = z.output<typeof ReplyEvent>;

/** Who answers. */
export const AssistantModel = z.object({
  /** Whether it is the local responder, which works by rules and needs no key. */
  local: z.boolean(),
  /** For people. */
  name: z.string(),
});
export type AssistantModel = z.output<typeof AssistantModel>;

const REPLICAS = 'Replicas must be a whole number from 1 to 100.';
const Replicas = z.int(REPLICAS).min(1, REPLICAS).max(100, REPLICAS);
const PORT = 'Port must be a whole number from 1 to 65535.';

/** Host of an Ingress: a whole name, its first label maybe `*`. */
const IngressHost = line(253, 'Host').check((ctx) => {
  if (ctx.issues.length > 0) return;
  const wildcard = ctx.value.startsWith('*.') ? '*.' : '';
  const reading = readHostName(ctx.value.slice(wildcard.length));
  if (reading.ok) ctx.value = `${wildcard}${reading.text}`;
  else ctx.issues.push({ code: 'custom', input: ctx.value, message: reading.problem });
});

/** What a Kubernetes manifest is made for: one of the person's projects, or any image. */
export const ManifestInput = z
  .object({
    projectId: Id.optional(),
    image: ImageReference.optional().describe('For example registry.example.com/ada/shop:1.2'),
    host: IngressHost.optional().describe('Host name for the Ingress; leave out for no Ingress'),
    port: z.int(PORT).min(1, PORT).max(65_535, PORT).default(8080).describe('Port the app listens on'),
    minReplicas: Replicas.default(2),
    maxReplicas: Replicas.default(5),
  })
  .check(({ value, issues }) => {
    const refuse = (path: string, message: string) =>
      issues.push({ code: 'custom', input: value, path: [path], message });
    if ((value.projectId === undefined) === (value.image === undefined)) {
      refuse('image', 'Choose either one of your projects or an image.');
    }
    if (value.minReplicas > value.maxReplicas) {
      refuse('maxReplicas', "Maximum replicas can't be lower than minimum replicas.");
    }
  });

export const Manifest = z.object({
  /** For example `shop.yaml`. */
  fileName: z.string(),
  /** YAML documents: a Deployment, a Service, a HorizontalPodAutoscaler, and an Ingress where there is a host. */
  yaml: z.string(),
});
export type Manifest = z.output<typeof Manifest>;

/** UTF-16 units of a text in which names are looked for. */
export const MAX_FOUND_TEXT = 2000;

/** Something of the person's that a text calls by its name. */
export const FoundResource = z.object({
  kind: z.enum(['project', 'database', 'image', 'domain', 'file', 'mobile-app']),
  id: Id,
  name: z.string(),
  /** How the text, or what it is part of, spells it: a project's host name, an image without its tag. */
  called: z.string(),
});
export type FoundResource = z.output<typeof FoundResource>;

const ROOT = '/api/assistant';

export const assistant = writesNeed('view', {
  createSession: mutation({
    summary: 'Start a conversation',
    route: `POST ${ROOT}/sessions`,
    status: 201,
    perMinute: 20,
    input: Subject,
    output: AssistantSession,
  }),
  sessions: query({
    summary: 'Your conversations with messages, newest first',
    route: `GET ${ROOT}/sessions`,
    input: OptionalPage,
    output: z.array(AssistantSession),
  }),
  removeSession: mutation({
    summary: 'Delete a conversation with all of its messages',
    route: `DELETE ${ROOT}/sessions/{id}`,
    perMinute: 30,
    input: ById,
    output: Success,
  }),
  messages: query({
    summary: "A conversation's latest 1,000 messages, oldest first",
    route: `GET ${ROOT}/sessions/{sessionId}/messages`,
    input: z.object({ sessionId: Id }),
    output: z.array(AssistantMessage),
  }),
  send: mutation({
    summary: 'Ask a question; the reply is written in the background, read it with `reply`',
    perMinute: 20,
    input: NewAssistantMessage,
    output: z.object({ message: AssistantMessage, replyId: Id }),
  }),
  chat: bytes({
    summary: 'Ask a question and stream the reply',
    route: `POST ${chatPath('{sessionId}')}`,
    perMinute: 20,
    countedWith: 'assistant.send',
    input: NewAssistantMessage,
    gives: {
      type: 'text/event-stream',
      what: 'The reply as `data: {"content":"…"}` lines, or `data: {"content":"","error":"…"}` if it fails; the last line is `data: [DONE]`',
    },
  }),
  /**
   * Each event's id names the reply and its place in it, so a reader resumes where it left off, on any replica, and even
   * when the reply has ended meanwhile. With `replyId` it is that reply from its beginning, ended or not.
   */
  reply: subscription({
    summary: 'The reply in progress, from its start; ends with it, or immediately when there is none',
    input: z.object({ sessionId: Id, replyId: Id.optional(), lastEventId: z.string().optional() }),
    output: ReplyEvent,
  }),
  stop: mutation({
    summary: 'Stop the reply in progress; what was written is kept',
    route: `POST ${ROOT}/sessions/{id}/stop`,
    perMinute: 60,
    keepsKeys: true,
    input: ById,
    output: Success,
  }),
  model: query({ summary: 'The model that answers', route: `GET ${ROOT}/model`, output: AssistantModel }),
  find: query({
    summary:
      'Your projects, databases, images, domains, files and mobile apps that a text names, or whose names contain it',
    route: `GET ${ROOT}/resources`,
    perMinute: 120,
    forAssistant: true,
    input: z.object({
      text: paragraph(MAX_FOUND_TEXT, 'Text')
        .refine((text) => text !== '', 'Enter a name.')
        .describe('A name, or a sentence with names in it'),
    }),
    output: z.array(FoundResource),
  }),
  manifest: query({
    summary: 'A Kubernetes manifest for a project or an image',
    route: `GET ${ROOT}/manifest`,
    perMinute: 60,
    forAssistant: true,
    input: ManifestInput,
    output: Manifest,
  }),
});
