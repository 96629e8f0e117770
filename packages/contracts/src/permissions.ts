/** Who may do what in a workspace: the one table, which the guard goes by and the console shows. */

/** What a member of a workspace is. */
export const WORKSPACE_ROLES = ['owner', 'admin', 'developer', 'viewer', 'billing'] as const;

/**
 * What a row of the contract needs of its caller in the workspace that the call is about:
 * account: nothing, it is about the caller themself; view: see things without secrets; secrets: see secrets;
 * build: make, change and delete things; money: move money of the payment gateway; billing: plan, cards, payments;
 * people: members, invitations, service accounts; own: rename with consequence, hand over, delete the workspace.
 */
export type Permission = 'account' | 'view' | 'secrets' | 'build' | 'money' | 'billing' | 'people' | 'own';

/** What each role may. */
export const PERMISSIONS: Readonly<Record<(typeof WORKSPACE_ROLES)[number], readonly Permission[]>> = {
  owner: ['account', 'view', 'secrets', 'build', 'money', 'billing', 'people', 'own'],
  admin: ['account', 'view', 'secrets', 'build', 'money', 'people'],
  developer: ['account', 'view', 'secrets', 'build'],
  viewer: ['account', 'view'],
  billing: ['account', 'view', 'money', 'billing'],
};

/** What roles are called. */
export const WORKSPACE_ROLE_NAMES: Readonly<Record<(typeof WORKSPACE_ROLES)[number], string>> = {
  owner: 'Owner',
  admin: 'Admin',
  developer: 'Developer',
  viewer: 'Viewer',
  billing: 'Billing',
};

/** Those that suffice are asked for beginning with what gives least. */
const LEAST = ['viewer', 'billing', 'developer', 'admin', 'owner'] as const;

/** Whether a member may do what needs a permission. */
export function may(role: (typeof WORKSPACE_ROLES)[number], permission: Permission): boolean {
  return PERMISSIONS[role].includes(permission);
}

/** Why a member may not do what needs a permission, with the role that suffices; undefined where they may. */
export function roleRefusal(
  role: (typeof WORKSPACE_ROLES)[number],
  permission: Permission,
): string | undefined {
  if (may(role, permission)) return undefined;
  const least = LEAST.find((one) => may(one, permission)) ?? 'owner';
  return `You need the role ${WORKSPACE_ROLE_NAMES[least]} in this workspace to do this. You have ${WORKSPACE_ROLE_NAMES[role]}.`;
}

/** What a token can be bound to. */
export const TOKEN_RESOURCES = ['project', 'bucket', 'repository', 'zone', 'database'] as const;

/** Workspaces that one person may own, besides their own, where no admin says otherwise. */
export const MAX_OWNED_WORKSPACES = 20;
/** The same where plans are sold: of those without a plan of their own. */
export const UNPAID_WORKSPACES = 3;
/** Members of one workspace, service accounts included. */
export const MAX_MEMBERS = 10_000;
