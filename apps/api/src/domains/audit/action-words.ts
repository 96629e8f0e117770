import { contract } from '@nephos/contracts';
import type { Table } from '@nephos/contracts/kit';

/** What is recorded and is no procedure of the contract. */
const OWN: Readonly<Record<string, string>> = {
  'auth.logIn': 'Log in',
  'auth.signUp': 'Sign up',
  'auth.logOut': 'Log out',
  'auth.signInAs': 'Sign in as somebody',
  'auth.useToken': 'Use an access token for the first time',
  'auth.logInToRegistry': 'Log in to the registry',
  'auth.logInToGit': 'Log in to push or fetch',
  'auth.connectIdentity': 'Connect with a login provider',
  'auth.resetPassword': 'Set a new password by a link',
  'auth.confirmEmail': 'Change the email address by a link',
  'auth.undoEmail': 'Undo a change of the email address by a link',
  'admin.applyGroups': "Set an admin by a login provider's groups",
  'workspaces.applyGroups': "Set a member's role by a login provider's groups",
  'billing.renew': 'Renew the subscription',
  'containers.pushImage': 'Push an image',
  'containers.applyRetention': 'Delete tags by a retention rule',
  'containers.deleteImage': 'Delete an image by the registry',
  'storedBytes.bringBack': 'Bring damaged bytes back from a backup',
  'storage.deleteObjects': 'Delete files by S3',
  'projects.pushCommits': 'Push commits',
  'certificates.issue': 'Issue a certificate',
  'previews.sweep': 'Delete an unused preview',
  'workspaces.empty': 'Delete something of a deleted workspace',
};

/** Of procedures whose summary tells a caller more than what was done. */
const SHORTER: Readonly<Record<string, string>> = {
  'auth.changeEmail': 'Ask for another email address',
  'auth.endSignInConsent': 'Let no admin sign in as you',
  'workspaces.remove': 'Delete a workspace',
  'projects.scopeVariable': 'Change who gets an environment variable',
  'variableGroups.scopeVariable': 'Change who gets a variable of a group',
  'variableGroups.link': 'Give a project the variables of a group',
  'variableGroups.unlink': 'Take the variables of a group from a project',
  'deployments.create': 'Deploy',
  'deployments.restartApp': 'Restart an app',
  'storage.create': 'Upload a file',
  'storage.upload': 'Upload a file',
  'storage.moveMany': 'Move files',
  'storage.removeMany': 'Delete files',
  'storageUploads.complete': 'Upload a file',
  'storageTrash.restore': 'Bring a deleted file back',
  'storageTrash.restoreMany': 'Bring deleted files back',
  'storageTrash.removeMany': 'Delete files in the trash for good',
  'storageTrash.empty': 'Empty the trash',
  'buckets.setLifecycle': 'Set the lifecycle of a bucket',
  'buckets.setCors': 'Set the CORS rules of a bucket',
  'containers.create': 'Register an image',
  'containers.remove': 'Delete a tag',
  'containers.removeUntagged': 'Delete untagged images',
  'containers.removeUntaggedImage': 'Delete an untagged image',
  'databaseContents.run': 'Run a statement',
  'databaseBackups.prove': 'Prove the latest backup',
  'dns.importZone': 'Import a zone file',
  'dns.edit': 'Change several records',
  'dns.addSecondary': 'Let a name server copy the domain',
  'marketplace.uninstall': 'Uninstall an item',
  'billing.confirmSandboxPayment': 'Pay with a test card',
  'admin.joinCommand': 'Show the command by which a machine joins',
};

const summaries = new Map<string, string>(
  Object.entries<Table>(contract).flatMap(([domain, table]) =>
    Object.entries(table).map(([name, { summary }]) => [`${domain}.${name}`, summary] as const),
  ),
);

/** A procedure in words: its summary as far as it says what is done. What this version does not know says its name. */
export function actionOf(procedure: string): string {
  return OWN[procedure] ?? SHORTER[procedure] ?? summaries.get(procedure)?.split(/[;:]|\. /)[0] ?? procedure;
}
