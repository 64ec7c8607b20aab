import type {
  PlotSetAside,
  TrialAnalysisDetail,
  TrialOverride,
  TrialPlots,
} from '@heterosis/contracts/work/trial-analyses';
import { useMemo, useState } from 'react';
import { dropDraft, keepDraft, readDraft } from '../../../lib/browser/drafts.ts';

type Model = TrialOverride['model'];

interface Changes {
  overrides: TrialOverride[];
  set_aside: PlotSetAside[];
}

/** What the next run does otherwise: models of single trials, and plots that no longer count. */
export interface TrialChanges extends Changes {
  count: number;
  modelOf: (environment: string, trait: string) => Model | undefined;
  /** `undefined`: as in the run that is shown. */
  setModel: (environment: string, trait: string, model: Model | undefined) => void;
  setAside: (trial: TrialPlots, plots: readonly number[], reason: string) => void;
  /** Why a plot is to be set aside. */
  reasonOf: (trial: TrialPlots, plot: number) => string | undefined;
  forget: () => void;
}

const NOTHING: Changes = { overrides: [], set_aside: [] };

/** The changes gathered on the page of a run. They are kept in the browser until they are run or thrown away. */
export function useTrialChanges(run: Pick<TrialAnalysisDetail, 'id'>): TrialChanges {
  const key = `trial changes ${run.id}`;
  const [changes, setChanges] = useState(() => readDraft(localStorage, key, NOTHING, Date.now()) ?? NOTHING);
  return useMemo(() => {
    const change = (next: Changes): void => {
      if (next.overrides.length + next.set_aside.length === 0) dropDraft(localStorage, key);
      else keepDraft(localStorage, key, next, Date.now());
      setChanges(next);
    };
    const { overrides, set_aside: aside } = changes;
    return {
      ...changes,
      count: overrides.length + aside.length,
      modelOf: (environment, trait) => overrides.find(isOf(environment, trait))?.model,
      setModel: (environment, trait, model) => {
        const others = overrides.filter((one) => !isOf(environment, trait)(one));
        change({ ...changes, overrides: model ? [...others, { environment, trait, model }] : others });
      },
      setAside: (trial, plots, reason) => {
        const added = plots.map((plot) => plotOf(trial, plot, reason));
        const others = aside.filter((one) => !added.some((other) => isSamePlot(one, other)));
        change({ ...changes, set_aside: [...others, ...added] });
      },
      reasonOf: (trial, plot) => aside.find((one) => isSamePlot(one, plotOf(trial, plot, one.reason)))?.reason,
      forget: () => change(NOTHING),
    };
  }, [changes, key]);
}

const isOf =
  (environment: string, trait: string) =>
  (one: { environment: string; trait: string }): boolean =>
    one.environment === environment && one.trait === trait;

const plotOf = (trial: TrialPlots, plot: number, reason: string): PlotSetAside => ({
  environment: trial.environment,
  trait: trial.trait,
  phenotype_id: trial.phenotype_id,
  file_line: trial.file_line[plot] ?? 0,
  reason,
});

const isSamePlot = (one: PlotSetAside, other: PlotSetAside): boolean =>
  one.phenotype_id === other.phenotype_id && one.file_line === other.file_line && one.trait === other.trait;

/** The request of the next run: what this one was asked for, and the changes over it. */
export function withChanges(body: Record<string, unknown>, { overrides, set_aside: aside }: Changes) {
  const [before, asideBefore] = [
    (body['overrides'] ?? []) as TrialOverride[],
    (body['set_aside'] ?? []) as PlotSetAside[],
  ];
  const kept = before.filter((one) => !overrides.some(isOf(one.environment, one.trait)));
  const keptAside = asideBefore.filter((one) => !aside.some((other) => isSamePlot(one, other)));
  return { ...body, overrides: [...kept, ...overrides], set_aside: [...keptAside, ...aside] };
}
