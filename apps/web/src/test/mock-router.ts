import { type AppRouter, auth, deployments, projects } from '@nephos/contracts';
import { createImplement } from '@nephos/contracts/implement';
import { TRPCError } from '@trpc/server';
import { type MockRefusal, type MockWorld, mockDeployment, mockProject } from './mock-world.ts';

class Refused extends TRPCError {
  readonly refusal: MockRefusal;

  constructor(refusal: MockRefusal) {
    super({ code: refusal.code, message: refusal.message });
    this.refusal = refusal;
  }
}

const NOT_FOUND: MockRefusal = { code: 'NOT_FOUND', reason: 'NOT_FOUND', message: 'Not found.' };

interface MockContext {
  world: MockWorld;
  user: MockWorld['user'];
}

const { implement, router } = createImplement<MockContext>({
  async guard({ path, ctx: { world }, rawInput }) {
    await world.delays[path];
    const refusal = world.refusals[path];
    if (refusal) throw new Refused(refusal);
    world.calls.push({ path, input: await rawInput() });
  },
  around: ({ ctx }, run) => run(ctx),
  translate: (error) =>
    error instanceof TRPCError ? error : new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: error }),
  formatError({ shape, error }) {
    const refusal = error instanceof Refused ? error.refusal : undefined;
    return {
      ...shape,
      data: {
        ...shape.data,
        reason: refusal?.reason ?? 'INTERNAL',
        requestId: 'test',
        ...(refusal?.fields && { fields: refusal.fields }),
      },
    };
  },
});

function found<T extends { id: string }>(rows: readonly T[], id: string): T {
  const row = rows.find((candidate) => candidate.id === id);
  if (!row) throw new Refused(NOT_FOUND);
  return row;
}

const success = { success: true } as const;

const authMock = implement(auth, {
  user: ({ ctx }) => ctx.user,
  updateProfile: ({ ctx, input }) => Object.assign(ctx.user, input),
  changePassword: ({ ctx: { world } }) => {
    world.sessions = world.sessions.filter((session) => session.current);
    return success;
  },
  sessions: ({ ctx }) => ctx.world.sessions,
  revokeSession: ({ ctx: { world }, input }) => {
    world.sessions = world.sessions.filter((session) => session.id !== input.id);
    return success;
  },
});

const projectsMock = implement(projects, {
  list: ({ ctx }) => ctx.world.projects,
  create: ({ ctx: { world }, input }) => {
    const project = mockProject({ ...input, id: crypto.randomUUID() });
    world.projects = [project, ...world.projects];
    return project;
  },
  get: ({ ctx, input }) => found(ctx.world.projects, input.id),
  update: ({ ctx, input }) => Object.assign(found(ctx.world.projects, input.id), input),
  remove: ({ ctx: { world }, input }) => {
    world.projects = world.projects.filter((project) => project.id !== input.id);
    return success;
  },
  variables: ({ ctx }) => ctx.world.variables,
  setVariable: ({ ctx: { world }, input }) => {
    const variable = { name: input.name, updatedAt: new Date().toISOString() };
    world.variables = [...world.variables.filter(({ name }) => name !== input.name), variable];
    return variable;
  },
  removeVariable: ({ ctx: { world }, input }) => {
    world.variables = world.variables.filter(({ name }) => name !== input.name);
    return success;
  },
  runtimes: ({ ctx }) => ctx.world.runtimes,
});

/** Streams are driven by the tests, see `FakeEventSource`. */
async function* silence() {}

const deploymentsMock = implement(deployments, {
  list: ({ ctx }) => ctx.world.deployments,
  create: ({ ctx: { world }, input }) => {
    const deployment = mockDeployment({
      id: crypto.randomUUID(),
      projectId: input.id,
      status: 'queued',
      commit: null,
      startedAt: null,
      finishedAt: null,
    });
    world.deployments = [deployment, ...world.deployments];
    return deployment;
  },
  get: ({ ctx, input }) => found(ctx.world.deployments, input.id),
  cancel: ({ ctx, input }) => Object.assign(found(ctx.world.deployments, input.id), { status: 'cancelled' }),
  rollback: ({ ctx, input }) => found(ctx.world.deployments, input.id),
  stop: ({ ctx, input }) => Object.assign(found(ctx.world.deployments, input.id), { status: 'stopped' }),
  log: silence,
  changes: silence,
});

/** The whole contract, answered from a `MockWorld`. */
export const mockRouter = router({ auth: authMock, projects: projectsMock, deployments: deploymentsMock });

mockRouter._def.record satisfies AppRouter['_def']['record'];
