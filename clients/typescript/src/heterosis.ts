import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './api.gen.ts';
import { HeterosisError, POLL_MS, send, sleep } from './send.ts';
import type { AnyRun, FileType, ListParameters, ListPath, ProjectFile, RowOf, RunOf, RunPath } from './types.ts';
import { uploadFile } from './upload.ts';

export type { components, operations, paths } from './api.gen.ts';
export { HeterosisError } from './send.ts';
export type { FileType, ListParameters, ListPath, ProjectFile, RowOf, RunOf, RunPath } from './types.ts';

/** A server, and the access token by which it knows you. */
export interface Server {
  /** Without a slash at the end. */
  server: string;
  token: string;
}

export interface Heterosis {
  /** Every operation by method and address, with the types of what it takes and answers. */
  api: Client<paths>;
  /** All rows of a list, page by page. */
  rows<Path extends ListPath>(path: Path, parameters: ListParameters<Path>): AsyncGenerator<RowOf<Path>>;
  /**
   * Sends a file in parts and waits for its check. After a break, call it again with the same file: what has arrived is
   * not sent twice. Throws a HeterosisError with the first problems when the file cannot be used.
   */
  upload(projectId: string, file: Blob, as: { name: string; type: FileType }): Promise<ProjectFile>;
  /** Waits for the end of a run; throws a HeterosisError when it, or one of its traits, has failed. */
  wait<Kind extends RunPath>(projectId: string, kind: Kind, id: string): Promise<RunOf<Kind>>;
  /** A zip of everything: results, parameters, SHA-256 of the inputs, seed, version. */
  bundle(projectId: string, kind: RunPath, id: string): Promise<Response>;
}

/**
 * Sends the fields of a request as a form, for the operations that take a file:
 *
 *     await api.POST('/api/projects/{project_id}/germplasms', { params, body: { file }, bodySerializer: formOf });
 */
export function formOf(fields: Record<string, Blob | string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

export interface Options {
  /** Ends whatever waits. */
  signal?: AbortSignal;
}

/**
 * Connects to a server. Refusals are thrown as HeterosisError; requests that the server puts off are sent again when it
 * says.
 *
 *     const { api, upload, wait } = connect({ server: 'https://heterosis.example.org', token: 'hx_…' });
 *     const file = await openAsBlob('panel.vcf.gz');
 *     const panel = await upload(projectId, file, { name: 'panel.vcf.gz', type: 'GENOTYPE' });
 */
export function connect({ server, token }: Server, { signal }: Options = {}): Heterosis {
  const headers = { authorization: `Bearer ${token}` };
  const api = createClient<paths>({
    baseUrl: server,
    headers,
    fetch: (request) => send(request, signal),
  });
  const get = async <Answer>(path: string): Promise<Answer> =>
    (await (await send(new Request(`${server}${path}`, { headers }), signal)).json()) as Answer;
  return {
    api,
    async *rows<Path extends ListPath>(path: Path, parameters: ListParameters<Path>) {
      const { path: segments = {}, query = {} } = parameters as Record<'path' | 'query', Record<string, string>>;
      const address = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(segments[name] ?? ''));
      for (let cursor: string | null = ''; cursor !== null; ) {
        const asked = new URLSearchParams({ limit: '500', ...query, ...(cursor === '' ? {} : { cursor }) });
        const page: { data: RowOf<Path>[]; next_cursor: string | null } = await get(`${address}?${asked}`);
        yield* page.data;
        cursor = page.next_cursor;
      }
    },
    upload: (projectId, file, as) => uploadFile(api, { projectId, bytes: file, ...as }, signal),
    async wait<Kind extends RunPath>(projectId: string, kind: Kind, id: string) {
      for (;;) {
        const run = await get<RunOf<Kind>>(addressOf(projectId, kind, id));
        if (hasEnded(kind, run)) return run;
        await sleep(POLL_MS, signal);
      }
    },
    bundle: (projectId, kind, id) =>
      send(new Request(`${server}${addressOf(projectId, kind, id)}/bundle`, { headers }), signal),
  };
}

const addressOf = (projectId: string, kind: RunPath, id: string): string => `/api/projects/${projectId}/${kind}/${id}`;

/** Throws when it, or one of its traits, has failed. */
function hasEnded(kind: RunPath, { name, status, error_extra, error_extras }: AnyRun): boolean {
  // A trained trait of a model has the state SUCCESS until its evaluation has ended as well.
  const ended = kind === 'models' ? ['ERROR', 'EVALUATED'] : ['ERROR', 'EVALUATED', 'SUCCESS'];
  const states = typeof status === 'string' ? [status] : Object.values(status);
  if (!states.every((state) => ended.includes(state))) return false;
  const failures = [error_extra, ...Object.values(error_extras ?? {})].filter((one) => one != null);
  if (failures.length === 0) return true;
  const said = failures.map(({ message, action }) => [message, action].filter(Boolean).join(' '));
  throw new HeterosisError('client/run-failed', `${name}: ${said.join('; ')}`);
}
