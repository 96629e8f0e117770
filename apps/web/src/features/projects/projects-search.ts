/** What the deployments page reads from its address: `?new=1` opens the dialog of a new project. */
export function projectsSearch(search: Record<string, unknown>): { new?: 1 } {
  return search.new === 1 ? { new: 1 } : {};
}
