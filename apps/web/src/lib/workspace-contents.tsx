import type { WorkspaceContents } from '@nephos/contracts';

/** Of each kind, one and several. */
const WORDS: Readonly<Record<Exclude<keyof WorkspaceContents, 'obstacle'>, readonly [string, string]>> = {
  projects: ['project', 'projects'],
  databases: ['database', 'databases'],
  files: ['file', 'files'],
  zones: ['DNS zone', 'DNS zones'],
  repositories: ['image repository', 'image repositories'],
  mobileApps: ['mobile app', 'mobile apps'],
  installations: ['marketplace installation', 'marketplace installations'],
  variableGroups: ['variable group', 'variable groups'],
  virtualAccounts: ['virtual account', 'virtual accounts'],
  members: ['membership', 'memberships'],
};

/** What a workspace has, counted, for who is about to delete it. */
export function WorkspaceContentsList({ contents, label }: { contents: WorkspaceContents; label: string }) {
  const lines = Object.entries(WORDS).flatMap(([kind, [one, many]]) => {
    // The keys are those of `WORDS`.
    const count = contents[kind as keyof typeof WORDS];
    return count > 0 ? [`${count} ${count === 1 ? one : many}`] : [];
  });
  return (
    <ul aria-label={label} className="list-disc pl-5 text-sm">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
