import type { InputOf } from '@heterosis/contracts/endpoint';
import type { decisionsApi } from '@heterosis/contracts/endpoints/work/decisions';
import type { DecisionOutcome } from '@heterosis/contracts/work/decisions';
import { outcomeOf } from '@heterosis/statgen/decisions/outcome';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { newestAnalysis, readAnalysedLines } from '../trial-analyses/index.ts';
import { closedMinutes } from './closing.service.ts';
import { requireDecision } from './decisions.service.ts';

/**
 * `GET …/decisions/{id}/outcome`: the values of the newest trial analysis that was made after the decision was closed,
 * beside those that it rested on.
 */
export async function getDecisionOutcome(
  { services, access: { projectId } }: ProjectCall,
  { id }: InputOf<typeof decisionsApi.getDecisionOutcome>,
): Promise<DecisionOutcome> {
  const row = await requireDecision(services.db, projectId, id);
  const minutes = await closedMinutes(services.db, row);
  const newest = await newestAnalysis(services, projectId);
  const since = newest === undefined ? undefined : await readAnalysedLines(services, projectId, newest);
  if (since === undefined || Date.parse(since.run.created_at) <= Date.parse(minutes.closed_at))
    return { run: null, run_at: null, traits: [] };
  const traits: DecisionOutcome['traits'] = [];
  for (const [c, column] of minutes.columns.entries()) {
    const found = since.traits.find(({ trait }) => trait === column.trait);
    if (!column.in_index || found === undefined) continue;
    const rowOf = new Map(found.rows.map((one) => [one.line, one]));
    const sign = column.is_higher_better ? 1 : -1;
    const signed = (value: number | null | undefined): number => (value == null ? Number.NaN : sign * value);
    const check = minutes.lines.find((line) => line.is_check);
    const checkSince = check === undefined ? null : (rowOf.get(check.name)?.value ?? null);
    const lines = minutes.lines.filter((line) => !line.is_check);
    const outcome = outcomeOf(
      lines.map((line) => ({
        isAdvanced: line.mark === 'ADVANCE',
        predicted: signed(line.values[c]),
        since: signed(rowOf.get(line.name)?.value),
      })),
      signed(checkSince),
    );
    const unsigned = (value: number | null): number | null => (value === null ? null : sign * value);
    traits.push({
      ...{ trait: column.trait, unit: column.unit, advanced: outcome.advanced, others: outcome.others },
      ...{ expected_gain: unsigned(outcome.expectedGain), realized_gain: unsigned(outcome.realizedGain) },
      ...{ accuracy: outcome.accuracy, regret: outcome.regret, check_since: checkSince },
      regretted: outcome.regretted.flatMap((i) => lines[i]?.name ?? []),
      lines: lines.map((line) => {
        const now = rowOf.get(line.name);
        return {
          ...{ name: line.name, mark: line.mark, before: line.values[c] ?? null },
          ...{ since: now?.value ?? null, since_se: now?.se ?? null },
        };
      }),
    });
  }
  return { run: { id: since.run.id, name: since.run.name }, run_at: since.run.created_at, traits };
}
