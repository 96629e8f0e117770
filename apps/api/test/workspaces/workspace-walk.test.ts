import {
  contract,
  OPENED_BY,
  PERMISSIONS,
  type TokenScope,
  WORKSPACE_ROLES,
  type WorkspaceRole,
} from '@nephos/contracts';
import { needsWriteScope, type Row } from '@nephos/contracts/kit';
import { callTRPCProcedure } from '@trpc/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTokenOf } from '../../src/domains/auth/access-tokens.ts';
import type { Caller } from '../../src/http/caller.ts';
import { describeError } from '../../src/http/describe-error.ts';
import { createWorld, type Person, type World } from '../world.ts';

const ROWS = Object.entries(contract).flatMap(([domain, table]) =>
  Object.entries<Row>(table).map(([name, row]) => ({ path: `${domain}.${name}`, row })),
);

/** What the guard answers; whatever else becomes of a call, it was let in. */
type Answer = 'in' | 401 | 403 | 404;

/** Who walks, as the table knows them. */
interface Walker {
  credentials: { authorization: string | undefined; cookie: string | undefined };
  signedIn: boolean;
  installationAdmin: boolean;
  /** In the shared workspace, as far as the credentials reach; null for none. */
  role: WorkspaceRole | null;
  token: TokenScope | null;
  bound: 'project' | null;
}

const GUARDS_WORDS =
  /^(You need the role|You don't have permission|Access tokens can't|This access token (is read-only|opens))/;

let world: World;
let shared: string;
const walkers = new Map<string, Walker>();

function session({ cookie }: Pick<Person, 'cookie'>, known: Partial<Walker>): Walker {
  const usual = { signedIn: true, installationAdmin: false, role: null, token: null, bound: null };
  return { ...usual, credentials: { authorization: undefined, cookie }, ...known };
}

beforeAll(async () => {
  // The administrators' list of jobs is asked as any other row.
  world = await createWorld({ running: true });
  const { db } = world.deps;
  const root = await world.as('Root');
  const people = new Map<WorkspaceRole, Person>();
  for (const role of WORKSPACE_ROLES) people.set(role, await world.as(role));
  const made = await people.get('owner')?.rpc.workspaces.create.mutate({ name: 'Shop' });
  shared = made?.id ?? '';
  for (const [role, { user }] of people) {
    if (role === 'owner') continue;
    await db.insertInto('workspaceMembers').values({ workspaceId: shared, userId: user.id, role }).execute();
  }
  const project = await db
    .insertInto('projects')
    .values({
      ownerId: shared,
      name: 'shop',
      slug: 'shop',
      description: '',
      repositoryUrl: '',
      branch: '',
      framework: 'static',
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow();

  async function token(
    role: WorkspaceRole,
    scope: TokenScope,
    at: { workspaceId: string; role: WorkspaceRole | null; resource?: { kind: 'project'; id: string } },
  ): Promise<Walker> {
    const userId = people.get(role)?.user.id ?? '';
    const { resource = null, workspaceId } = at;
    const { token } = await createTokenOf(db, { userId, workspaceId }, { name: scope, scope, resource });
    const known = { role: at.role, token: scope, bound: resource && ('project' as const) };
    return {
      ...session({ cookie: '' }, known),
      credentials: { authorization: `Bearer ${token}`, cookie: undefined },
    };
  }

  walkers.set('nobody', session({ cookie: '' }, { signedIn: false }));
  walkers.set('a stranger', session(await world.as('Stranger'), {}));
  walkers.set('an admin of the installation', session(root, { installationAdmin: true }));
  for (const [role, person] of people) {
    walkers.set(`the role ${role}`, session(person, { role }));
    for (const scope of ['read', 'write'] as const) {
      const name = `a token of the role ${role} that can ${scope}`;
      walkers.set(name, await token(role, scope, { workspaceId: shared, role }));
    }
  }
  const own = people.get('owner')?.user.id ?? '';
  walkers.set(
    "a token of the owner's own workspace",
    await token('owner', 'write', { workspaceId: own, role: null }),
  );
  const resource = { kind: 'project', id: project.id } as const;
  walkers.set(
    'a token of one project',
    await token('owner', 'write', { workspaceId: shared, role: 'owner', resource }),
  );
});

afterAll(() => world.close());

/** What the table says of a row: access, scope, membership and role, in that order. */
function expected({ path, row }: (typeof ROWS)[number], walker: Walker): Answer {
  const { signedIn, installationAdmin, role, token, bound } = walker;
  if (row.access !== 'public') {
    if (!signedIn) return 401;
    if (row.access === 'admin' && !installationAdmin) return 403;
  }
  if (token !== null && row.sessionOnly) return 403;
  if (token === 'read' && needsWriteScope(row)) return 403;
  if (row.access !== 'public') {
    const asksNothing = row.needs === 'account' && row.workspaceField === undefined;
    if (role === null && (token !== null || !asksNothing)) return 404;
    if (role !== null && !PERMISSIONS[role].includes(row.needs)) return 403;
  }
  if (bound === null) return 'in';
  // What it may call is asked of a thing that is not its own.
  return OPENED_BY[bound].rows.includes(path) ? 404 : 403;
}

/** Calls a row with what no row takes, so that nothing happens where it has an input. */
async function answerOf({ path, row }: (typeof ROWS)[number], caller: Caller): Promise<Answer> {
  const input = row.workspaceField === undefined ? 'nothing' : { [row.workspaceField]: shared };
  const isBytes = row.kind === 'bytes';
  try {
    await callTRPCProcedure({
      router: isBytes ? world.deps.bytes : world.deps.router,
      path,
      type: row.kind === 'bytes' ? 'mutation' : row.kind,
      ctx: caller,
      signal: undefined,
      batchIndex: 0,
      getRawInput: async () => input,
    });
    return 'in';
  } catch (error) {
    const { status, message } = describeError(error);
    // What is not set up is refused by who was asked for it.
    if (status >= 500 && status !== 503) throw error;
    if (status === 401) return 401;
    if (status === 403 && GUARDS_WORDS.test(message)) return 403;
    return status === 404 && message === 'Not found.' ? 404 : 'in';
  }
}

async function callerFor(walker: Walker): Promise<Caller> {
  const identity = await world.deps.identify({ ...walker.credentials, workspace: shared });
  return { ...identity, requestId: 'walk' };
}

const NAMES = [
  'nobody',
  'a stranger',
  'an admin of the installation',
  ...WORKSPACE_ROLES.flatMap((role) => [
    `the role ${role}`,
    `a token of the role ${role} that can read`,
    `a token of the role ${role} that can write`,
  ]),
  "a token of the owner's own workspace",
  'a token of one project',
];

describe('every row of the contract', () => {
  test.each(NAMES)('lets in as the table says: %s', async (name) => {
    const walker = walkers.get(name);
    if (!walker) throw new Error(`nobody is ${name}`);
    const caller = await callerFor(walker);
    const answers: Record<string, Answer> = {};
    const table: Record<string, Answer> = {};
    for (const one of ROWS) {
      answers[one.path] = await answerOf(one, caller);
      table[one.path] = expected(one, walker);
    }
    expect(answers).toEqual(table);
  });
});

describe('the table', () => {
  const needing = (need: Row['needs']) =>
    ROWS.filter(({ row }) => row.needs === need).map(({ path }) => path);

  test('gives what is delicate to those who are to have it', () => {
    expect(needing('secrets')).toEqual([
      'pushHooks.secret',
      ...['createJob', 'updateJob', 'runJob', 'runCommand'].map((name) => `appRuns.${name}`),
      ...['keys', 'createKey', 'removeKey'].map((name) => `buckets.${name}`),
      'databases.connection',
      ...['tables', 'table', 'rows', 'statements'].map((name) => `databaseContents.${name}`),
      'databaseFigures.sessions',
    ]);
    expect(needing('own')).toEqual([
      'workspaces.update',
      'workspaces.remove',
      'workspaces.consequences',
      'workspaces.demandSecondFactor',
    ]);
    expect(needing('people')).toEqual([
      'workspaces.changeMember',
      'workspaces.removeMember',
      'workspaces.invitations',
      'workspaces.invite',
      'workspaces.revokeInvitation',
      'workspaces.createServiceAccount',
      'workspaces.serviceToken',
      'workspaces.serviceTokens',
      'workspaces.revokeServiceToken',
    ]);
    expect(needing('billing')).toEqual([
      'billing.startPayment',
      'billing.payWithSavedCard',
      'billing.confirmSandboxPayment',
      'billing.authenticateSandboxPayment',
      'billing.subscribe',
      'billing.cancel',
      'billing.resume',
      'billing.removeCard',
    ]);
    expect(needing('money')).toEqual([
      'paymentGateway.createVirtualAccount',
      'paymentGateway.renameVirtualAccount',
      'paymentGateway.closeVirtualAccount',
      'paymentGateway.send',
      'paymentGateway.receive',
      'paymentGateway.cancel',
      'paymentGateway.createBeneficiary',
      'paymentGateway.removeBeneficiary',
    ]);
  });

  test('asks nothing of a workspace where the caller alone is concerned', () => {
    const personal = needing('account').filter((path) => !/^(auth|admin)\./.test(path));
    expect(personal).toEqual([
      'workspaces.list',
      'workspaces.create',
      'workspaces.enter',
      'workspaces.leave',
      'workspaces.invitation',
      'workspaces.accept',
      'storage.download',
      'storage.publicFile',
      'storage.sharedFile',
      'paymentGateway.trialBalance',
      'billing.status',
      'audit.installation',
      'audit.installationChain',
      'audit.installationExport',
    ]);
  });

  test('says of bound tokens only what there is', () => {
    const paths = new Set(ROWS.map(({ path }) => path));
    for (const { rows } of Object.values(OPENED_BY)) for (const path of rows) expect(paths).toContain(path);
  });
});
