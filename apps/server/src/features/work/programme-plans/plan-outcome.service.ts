import type { InputOf } from '@heterosis/contracts/endpoint';
import type { programmePlansApi } from '@heterosis/contracts/endpoints/work/programme-plans';
import { BEST_SCHEME } from '@heterosis/contracts/work/programmes/programme-optimum';
import { type PlanOutcome, plannedSteps } from '@heterosis/contracts/work/programmes/programme-plans';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { findDecision, getDecisionOutcome } from '../decisions/index.ts';
import { expectedDifferences, founderNames, type ProgrammeRow } from '../programmes/index.ts';
import { readAnalysedLines } from '../trial-analyses/index.ts';
import { expectationOf } from './plan-expectations.ts';
import { type LinkRow, listLinks } from './programme-plans.queries.ts';
import { requirePlan } from './programme-plans.service.ts';

type Realised = PlanOutcome['steps'][number]['realised'][number];

/** `GET …/programmes/{id}/plan/outcome`. */
export async function getPlanOutcome(
  call: ProjectCall,
  { id }: InputOf<typeof programmePlansApi.getPlanOutcome>,
): Promise<PlanOutcome> {
  const { services, access } = call;
  const { projectId } = access;
  const { programme, row } = await requirePlan(services.db, projectId, id);
  const links = await listLinks(services.db, { projectId, programmeId: programme.id });
  const steps = plannedSteps(row.scheme, row.founders);
  const wanted = steps.map((step) => expectationOf(row.scheme, step));
  const isSearch = programme.parameters.optimise !== undefined;
  const place = isSearch ? BEST_SCHEME : row.scheme_place;
  const expected = await expectedDifferences(services, programme, place, wanted);
  const founders = links.some(({ kind }) => kind === 'trial_analysis')
    ? new Set(await founderNames(services, programme))
    : new Set<string>();
  const found: PlanOutcome['steps'] = [];
  let unit: string | null = null;
  for (const [s, { step, cycle, ends }] of steps.entries()) {
    const realised: Realised[] = [];
    for (const link of links.filter((one) => one.step === step)) {
      const known = await realisedBy(call, programme, link, founders);
      if (known === null) continue;
      unit ??= known.unit;
      realised.push(known.realised);
    }
    const what = wanted[s]?.what;
    const [mean, low, high, replicates] = expected[s] ?? [];
    found.push({
      ...{ step, cycle, year: ends, realised },
      expected:
        what === undefined || mean === undefined || low === undefined || high === undefined || replicates === undefined
          ? null
          : { what, mean, low, high, replicates },
    });
  }
  const told = found.filter((one) => one.expected !== null || one.realised.length > 0);
  return { trait: programme.traits[0] ?? '', unit, steps: told };
}

type Known = { unit: string | null; realised: Realised } | null;

async function realisedBy(
  call: ProjectCall,
  { traits: [trait = ''] }: ProgrammeRow,
  { kind, item_id, name }: LinkRow,
  founders: ReadonlySet<string>,
): Promise<Known> {
  if (name === null) return null;
  if (kind === 'decision') return await byDecision(call, trait, { item_id, name });
  if (kind === 'trial_analysis') return await byAnalysis(call, trait, { item_id, name, founders });
  return null;
}

/** What the values since say of the lines that advanced. */
async function byDecision(call: ProjectCall, trait: string, its: { item_id: string; name: string }): Promise<Known> {
  const { services, access } = call;
  const say = (realised: Partial<Realised>): Realised => ({
    ...{ kind: 'decision', ...its, what: 'SELECTION', value: null, lines: 0, others: 0, missing: null },
    ...realised,
  });
  const decision = await findDecision(services.db, access.projectId, its.item_id);
  if (decision?.state !== 'CLOSED') return { unit: null, realised: say({ missing: 'The decision is open.' }) };
  const { run, traits } = await getDecisionOutcome(call, { id: its.item_id });
  const of = traits.find((one) => one.trait === trait);
  if (run === null) return { unit: null, realised: say({ missing: 'No trial was analysed since.' }) };
  if (of === undefined) return { unit: null, realised: say({ missing: `“${run.name}” has no values of ${trait}.` }) };
  const { advanced: lines, others, realized_gain: value, unit } = of;
  const missing = value === null ? `“${run.name}” has no lines both of those selected and of the others.` : null;
  return { unit, realised: say({ value, lines, others, missing }) };
}

/** What a trial analysis says of its lines, against the founders that are in it. */
async function byAnalysis(
  { services, access }: ProjectCall,
  trait: string,
  { founders, ...its }: { item_id: string; name: string; founders: ReadonlySet<string> },
): Promise<Known> {
  const found = (await readAnalysedLines(services, access.projectId, its.item_id)).traits.find(
    (one) => one.trait === trait,
  );
  const known = (found?.rows ?? []).flatMap(({ line, value }) => (value === null ? [] : [{ line, value }]));
  const [base, lines] = [
    known.filter(({ line }) => founders.has(line)),
    known.filter(({ line }) => !founders.has(line)),
  ];
  const mean = (of: readonly { value: number }[]): number => of.reduce((sum, { value }) => sum + value, 0) / of.length;
  const isCompared = base.length > 0 && lines.length > 0;
  return {
    unit: found?.unit ?? null,
    realised: {
      ...{ kind: 'trial_analysis', ...its, what: 'SINCE_FOUNDERS', lines: lines.length, others: base.length },
      value: isCompared ? mean(lines) - mean(base) : null,
      missing:
        found === undefined
          ? `It has no values of ${trait} over its trials.`
          : isCompared
            ? null
            : base.length === 0
              ? 'No founder is in these trials, so there is nothing to compare with.'
              : 'All of its lines are founders.',
    },
  };
}
