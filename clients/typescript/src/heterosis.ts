import type { FileType } from '@heterosis/contracts/data/files';
import { type RequestTo, TABLE_TYPES } from '@heterosis/contracts/endpoint';
import {
  answerOf,
  type CallEndpoint,
  type ItemOf,
  type ListEndpoint,
  requestOf,
  rowsOf,
} from '@heterosis/contracts/endpoint-request';
import { RUN_CONTRACTS } from '@heterosis/contracts/work/run-contracts';
import type { RunPath } from '@heterosis/contracts/work/run-kinds';
import { HeterosisError, POLL_MS, send, sleep } from './send.ts';
import { type TableEndpoint, tableOf } from './table.ts';
import { type AnyRun, type ProjectFile, type RunOf } from './types.ts';
import { uploadFile } from './upload.ts';

export { HeterosisError } from './send.ts';
export type { ProjectFile, RunOf } from './types.ts';

/** A server, and the access token by which it knows you. */
export interface Server {
  /** Without a slash at the end. */
  server: string;
  token: string;
}

export interface Heterosis {
  /**
   * Calls an endpoint of the tables in `@heterosis/contracts/endpoints`, with their types:
   *
   *     await call(modelsApi.createRun, { project_id, body: { name, genotype_id, phenotype_id, traits } });
   */
  call: CallEndpoint;
  /** All rows of a list, page by page. */
  rows<List extends ListEndpoint>(endpoint: List, parameters: RequestTo<List>): AsyncGenerator<ItemOf<List>>;
  /**
   * The bytes of all rows of a list, as Apache Parquet or lines of JSON; a download that breaks off goes on where it
   * was.
   */
  table<List extends TableEndpoint>(
    endpoint: List,
    parameters: RequestTo<List>,
    as?: 'parquet' | 'lines',
  ): AsyncGenerator<Uint8Array>;
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
 * Fields as a form, for the endpoints that take a file:
 *
 *     await call(projectGermplasmUploadsApi.uploadGermplasm, { project_id, body: formOf({ file }) });
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
 *     const { call, upload, wait } = connect({ server: 'https://heterosis.example.org', token: 'hx_…' });
 *     const file = await openAsBlob('panel.vcf.gz');
 *     const panel = await upload(projectId, file, { name: 'panel.vcf.gz', type: 'GENOTYPE' });
 */
export function connect({ server, token }: Server, { signal }: Options = {}): Heterosis {
  const authorization = `Bearer ${token}`;
  const call: CallEndpoint = async (endpoint, sent) => {
    const { method, address, headers, body = null } = requestOf(endpoint, sent);
    const request = new Request(`${server}/api${address}`, { method, headers: { ...headers, authorization }, body });
    return answerOf(endpoint, await send(request, signal));
  };
  return {
    call,
    rows: (endpoint, parameters) => rowsOf(call, endpoint, parameters),
    table(endpoint, parameters, as = 'parquet') {
      const url = `${server}/api${requestOf(endpoint, parameters).address}`;
      return tableOf(url, { authorization, accept: as === 'parquet' ? TABLE_TYPES[0] : TABLE_TYPES[1] }, signal);
    },
    upload: (projectId, file, as) => uploadFile(call, { projectId, bytes: file, ...as }, signal),
    async wait<Kind extends RunPath>(projectId: string, kind: Kind, id: string) {
      for (;;) {
        const run = await call(RUN_CONTRACTS[kind].endpoints.readRun, { project_id: projectId, id });
        if (hasEnded(kind, run)) return run as RunOf<Kind>;
        await sleep(POLL_MS, signal);
      }
    },
    bundle: (projectId, kind, id) => call(RUN_CONTRACTS[kind].endpoints.bundleRun, { project_id: projectId, id }),
  };
}

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
