import { setTimeout as sleep } from 'node:timers/promises';
import { matchingApi } from '@heterosis/contracts/endpoints/work/matching';
import { estimateBody } from '@heterosis/contracts/work/estimates';
import { RUN_KINDS, type RunKind, runKinds } from '@heterosis/contracts/work/run-kinds';
import * as z from 'zod';
import { projectId } from './reading-tools.ts';
import { partsOf, runApiOf } from './run-kind-apis.ts';
import { defineTool, type Found, type Tool, type ToolCall } from './tool.ts';

/** Clients give up on a call after a minute. */
const LONGEST_WAIT_S = 50;
const POLL_MS = 1000;

const kind = z.enum(runKinds).describe('Kind of run.');
const oneRun = z.object({ project_id: projectId, kind, run_id: z.uuid() });
type OneRun = z.output<typeof oneRun>;

const pageOf = ({ project_id, kind, run_id }: OneRun): string =>
  `/projects/${project_id}/${RUN_KINDS[kind].page}/${run_id}`;

/** One state, or one for each trait. */
type Status = string | Readonly<Record<string, string>>;

async function readRun({ call }: ToolCall, one: OneRun): Promise<Found & { data: { status: Status } }> {
  const at = { project_id: one.project_id, id: one.run_id };
  const { data, address } = await call(runApiOf(one.kind).readRun, at);
  return { data: data as { status: Status }, api: [address], page: pageOf(one) };
}

export const RUN_TOOLS: readonly Tool[] = [
  defineTool({
    name: 'find_runs',
    title: 'Find runs',
    description: `Runs of a project, newest first: ${runKinds.map((one) => RUN_KINDS[one].noun).join(', ')}.`,
    input: z.object({
      project_id: projectId,
      kind,
      limit: z.number().int().min(1).max(100).default(20),
      cursor: z.string().max(500).optional(),
    }),
    writes: false,
    async run({ call }, { project_id, kind, ...query }) {
      const { data, address } = await call(runApiOf(kind).listRuns, { project_id, query });
      return { data, api: [address], page: `/projects/${project_id}/${RUN_KINDS[kind].page}` };
    },
  }),
  defineTool({
    name: 'describe_run',
    title: 'Describe a kind of run',
    description:
      'What a kind of run takes, as a JSON schema with ranges, defaults and units, and which tables and data of figures `read_result` reads from it.',
    input: z.object({ kind }),
    writes: false,
    async run(_call, { kind }) {
      const { createRun } = runApiOf(kind);
      const parts = [...partsOf(kind)].map(([part, { summary, query }]) => ({ part, summary, query: schemaOf(query) }));
      return { data: { starts: createRun.summary, body: schemaOf(createRun.body), parts } };
    },
  }),
  defineTool({
    name: 'estimate_run',
    title: 'Estimate a run',
    description: 'Time, memory and disk that training a model or a GWAS takes, before it is started.',
    input: z.object({ project_id: projectId, inputs: estimateBody }),
    writes: false,
    async run({ call }, { project_id, inputs }) {
      const { data, address } = await call(matchingApi.estimateRun, { project_id, body: inputs });
      return { data, api: [address] };
    },
  }),
  defineTool({
    name: 'start_run',
    title: 'Start a run',
    description:
      'Starts a run in the name of the person. Ask the person first. Take the body from `describe_run`; look at `preview_match` and `estimate_run` before.',
    input: z.object({ project_id: projectId, kind, body: z.record(z.string(), z.unknown()) }),
    writes: true,
    async run({ call }, { project_id, kind, body }) {
      const { data, address } = await call(runApiOf(kind).createRun, { project_id, body } as never);
      const { id } = data as { id: string };
      return {
        data: data,
        api: [address],
        page: pageOf({ project_id, kind, run_id: id }),
        next: `It has begun. Wait with wait_for_run, run_id ${id}.`,
      };
    },
  }),
  defineTool({
    name: 'wait_for_run',
    title: 'Wait for a run',
    description: `Waits at most ${LONGEST_WAIT_S} seconds until a run has ended; call it again if it has not.`,
    input: oneRun.extend({ seconds: z.number().int().min(1).max(LONGEST_WAIT_S).default(LONGEST_WAIT_S) }),
    writes: false,
    async run(call, { seconds, ...one }) {
      const until = Date.now() + seconds * 1000;
      for (;;) {
        const found = await readRun(call, one);
        const isOver = hasEnded(one.kind, found.data.status);
        if (isOver || Date.now() + POLL_MS > until || call.signal.aborted)
          return isOver ? found : { ...found, next: 'It is still under way: wait again.' };
        await sleep(POLL_MS, undefined, { signal: call.signal }).catch(() => {});
      }
    },
  }),
  defineTool({
    name: 'read_run',
    title: 'Read a run',
    description: 'State, key figures, methods paragraph and provenance of a run.',
    input: oneRun,
    writes: false,
    run: readRun,
  }),
  defineTool({
    name: 'read_result',
    title: 'Read a result',
    description:
      'A page of a table of results, or the data of a figure. `describe_run` names the parts of a kind and what they take; `query` holds for example trait, sort, limit (20 unless said) and cursor.',
    input: oneRun.extend({
      part: z
        .string()
        .max(50)
        .describe('For example `gebv` of a model, `results` of a GWAS, `means` of a trial analysis.'),
      query: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
    }),
    writes: false,
    async run({ call }, { part, query, ...one }) {
      const parts = partsOf(one.kind);
      const endpoint = parts.get(part);
      if (endpoint === undefined)
        return {
          data: null,
          next: `A ${RUN_KINDS[one.kind].noun} has no part of this name; it has ${[...parts.keys()].join(', ')}.`,
        };
      const takesLimit = 'limit' in ((endpoint.query as z.ZodObject | undefined)?.shape ?? {});
      const asked = takesLimit ? { limit: 20, ...query } : query;
      const { data, address } = await call(endpoint, {
        project_id: one.project_id,
        id: one.run_id,
        query: asked,
      } as never);
      return { data, api: [address], page: pageOf(one) };
    },
  }),
];

const schemaOf = (schema: z.ZodType | undefined): unknown =>
  schema === undefined ? undefined : z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-7' });

/** A trained trait of a model has the state SUCCESS until its evaluation has ended as well. */
function hasEnded(kind: RunKind, status: Status): boolean {
  const final = ['ERROR', 'EVALUATED', ...(kind === 'model' ? [] : ['SUCCESS'])];
  return [status]
    .flatMap((one) => (typeof one === 'string' ? [one] : Object.values(one)))
    .every((one) => final.includes(one));
}
