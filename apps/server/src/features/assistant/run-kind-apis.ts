import type { Endpoint } from '@heterosis/contracts/endpoint';
import { RUN_CONTRACTS } from '@heterosis/contracts/work/run-contracts';
import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import type * as z from 'zod';

type AnsweringEndpoint = Endpoint & { answer: z.ZodType };
type RunApi = Readonly<Record<'listRuns' | 'createRun' | 'readRun', AnsweringEndpoint>>;

export const runApiOf = (kind: RunKind): RunApi => RUN_CONTRACTS[RUN_KINDS[kind].path].endpoints;

/** Tables of results and data of figures of a kind of run, each by the last word of its address. */
export function partsOf(kind: RunKind): ReadonlyMap<string, AnsweringEndpoint> {
  const one = `/projects/:project_id/${RUN_KINDS[kind].path}/:id/`;
  const parts = new Map<string, AnsweringEndpoint>();
  for (const endpoint of Object.values<Endpoint>(runApiOf(kind))) {
    const { method, path, answer } = endpoint;
    const name = path.startsWith(one) ? path.slice(one.length) : '';
    if (method === 'GET' && answer !== undefined && /^\w+$/.test(name)) parts.set(name, { ...endpoint, answer });
  }
  return parts;
}
