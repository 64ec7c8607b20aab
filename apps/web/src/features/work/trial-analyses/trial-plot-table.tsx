import type { TrialPlots } from '@heterosis/contracts/work/trial-analyses';
import { Button, NativeSelect } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { StateBadge } from '../../../components/table/state-badge.tsx';
import { formatCount, sharedDecimals } from '../../../lib/format/format.ts';
import { withUnit } from '../../data/files/index.ts';
import { SetAsideDialog } from './set-aside-dialog.tsx';
import type { TrialChanges } from './use-trial-changes.ts';

export const PLOT_TABLE_ID = 'trial-plots';

type Shown = 'all' | 'outliers' | 'aside' | 'selected';

/** The plots of a field: all, those that look wrong, those set aside, or those selected on the maps. */
export function TrialPlotTable(props: {
  trial: TrialPlots;
  name: string;
  selected: ReadonlySet<number>;
  onSelect: (plots: ReadonlySet<number>) => void;
  changes: TrialChanges | undefined;
}) {
  const { trial, name, selected, onSelect, changes } = props;
  const { t } = useTranslation();
  const [wanted, setWanted] = useState<Shown>('all');
  const [asking, setAsking] = useState<{ plots: number[]; clear: () => void }>();
  const all = useMemo(() => trial.line.map((_, plot) => plot), [trial]);
  const sets: Record<Shown, number[]> = {
    all,
    outliers: all.filter((plot) => trial.outlier[plot]),
    aside: all.filter((plot) => trial.set_aside[plot] != null),
    selected: all.filter((plot) => selected.has(plot)),
  };
  // What was just selected on a map is what one wants to see.
  const shown: Shown = selected.size > 0 ? 'selected' : wanted === 'selected' ? 'all' : wanted;
  const columns = usePlotColumns(trial, changes);
  return (
    <Section title={t('trial_analyses.plots')} note={t('trial_analyses.plotsNote')}>
      <div id={PLOT_TABLE_ID}>
        <DataTable
          id="trial-plots"
          label={t('trial_analyses.plots')}
          columns={columns}
          rows={sets[shown]}
          rowId={String}
          isMarked={(plot) => trial.outlier[plot] === true}
          defaultSort={{ column: 'studentized', descending: true }}
          csvName={`${name} plots`}
          maxHeight="22rem"
          filters={
            <NativeSelect
              size="xs"
              aria-label={t('trial_analyses.shown.label')}
              value={shown}
              onChange={(event) => {
                onSelect(new Set());
                setWanted(event.currentTarget.value as Shown);
              }}
              data={(['all', 'outliers', 'aside', 'selected'] as const)
                .filter((set) => set === 'all' || set === shown || sets[set].length > 0)
                .map((value) => ({
                  value,
                  label: t(`trial_analyses.shown.${value}`, { shown: formatCount(sets[value].length) }),
                }))}
            />
          }
          bulkActions={
            changes &&
            ((plots, clear) => (
              <Button size="compact-xs" variant="default" onClick={() => setAsking({ plots, clear })}>
                {t('trial_analyses.setAsideThese', { count: plots.length })}
              </Button>
            ))
          }
        />
      </div>
      {asking && changes && (
        <SetAsideDialog
          trial={trial}
          plots={asking.plots}
          onClose={() => setAsking(undefined)}
          onConfirm={(reason) => {
            changes.setAside(trial, asking.plots, reason);
            asking.clear();
            setAsking(undefined);
          }}
        />
      )}
    </Section>
  );
}

function usePlotColumns(trial: TrialPlots, changes: TrialChanges | undefined): DataColumn<number>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const number = (
      id: 'value' | 'fitted' | 'trend' | 'residual' | 'studentized',
      header: string,
      hint?: string,
    ): DataColumn<number> => {
      const decimals = sharedDecimals(trial[id]);
      return {
        id,
        header,
        ...(hint === undefined ? {} : { hint }),
        value: (plot) => trial[id][plot] ?? null,
        cell: (plot) => <NumberCell value={trial[id][plot]} decimals={decimals} />,
        numeric: true,
        width: id === 'studentized' ? 120 : 100,
      };
    };
    const word = (id: 'replicate' | 'block' | 'kind', header: string): DataColumn<number>[] =>
      new Set(trial[id]).size > 1
        ? [{ id, header, value: (plot) => trial[id][plot] ?? null, width: 110, hidden: id !== 'replicate' }]
        : [];
    const place = (id: 'row' | 'column', header: string, width: number): DataColumn<number>[] =>
      trial[id].some((at) => at !== null)
        ? [{ id, header, value: (plot) => trial[id][plot] ?? null, numeric: true, width }]
        : [];
    const stateOf = (plot: number): string | null => {
      const aside = trial.set_aside[plot] ?? changes?.reasonOf(trial, plot);
      return aside ?? (trial.outlier[plot] ? t('trial_analyses.looksWrong') : null);
    };
    return [
      { id: 'line', header: t('trial_analyses.line'), value: (plot) => trial.line[plot] ?? '' },
      ...place('row', t('trial_analyses.row'), 70),
      ...place('column', t('trial_analyses.column'), 90),
      ...word('replicate', t('trial_analyses.layer.replicate')),
      ...word('block', t('trial_analyses.layer.block')),
      ...word('kind', t('trial_analyses.layer.kind')),
      number('value', withUnit(trial.trait, trial.unit)),
      number('fitted', t('trial_analyses.layer.fitted')),
      ...(trial.trend.some((value) => value) ? [number('trend', t('trial_analyses.layer.trend'))] : []),
      { ...number('residual', t('trial_analyses.layer.residual')), narrow: true },
      {
        ...number('studentized', t('trial_analyses.studentized'), t('trial_analyses.studentizedHint')),
        // The largest deviations first, on either side.
        value: (plot) => Math.abs(trial.studentized[plot] ?? Number.NaN),
        exported: [{ header: 'studentized', value: (plot) => trial.studentized[plot] ?? null }],
      },
      {
        id: 'state',
        header: t('column.state'),
        value: stateOf,
        cell: (plot) => {
          const state = stateOf(plot);
          if (state === null) return null;
          const isAside = trial.set_aside[plot] != null;
          return <StateBadge kind={isAside ? 'waiting' : 'warning'} label={state} />;
        },
        width: 150,
      },
    ];
  }, [trial, changes, t]);
}
