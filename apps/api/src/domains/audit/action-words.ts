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

const summaries = new Map<string, string>(
  Object.entries<Table>(contract).flatMap(([domain, table]) =>
    Object.entries(table).map(([name, { summary }]) => [`${domain}.${name}`, summary] as const),
  ),
);

/** A procedure in words: its summary as far as it says what is done. What this version does not know says its name. */
export function actionOf(procedure: string): string {
  return OWN[procedure] ?? summaries.get(procedure)?.split(/[;:]/)[0] ?? procedure;
}
