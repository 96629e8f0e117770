import { apiDocument } from '@nephos/contracts/openapi';

/** The document's paths, those with the fewest parameters first: they win, as they do in the router. */
const paths = Object.entries(apiDocument('http://localhost').paths)
  .map(([path, methods]) => ({
    path,
    methods,
    parameters: path.split('{').length,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  .toSorted((a, b) => a.parameters - b.parameters);

/** Throws where `/api/openapi.json` knows the operation and does not say that it may answer so. */
export function assertDocumented(method: string, address: string, status: number): void {
  const [asked = ''] = address.split('?');
  const found = paths.find(({ pattern }) => pattern.test(asked));
  const operation = found?.methods[method === 'HEAD' ? 'get' : method.toLowerCase()];
  if (!found || !operation) return;
  const said = Object.keys(operation.responses as object);
  if (!said.includes(String(status))) {
    throw new Error(`${method} ${found.path} answered ${status}; the document only says ${said.join(', ')}`);
  }
}
