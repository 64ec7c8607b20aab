import { type Selection, usefulnessOf } from '@heterosis/charts/crosses/usefulness';
import { CROSSING_OPTIONS } from '@heterosis/contracts/options/crossing';
import type { CrossingSimulationDetail, CrossRow } from '@heterosis/contracts/work/crossing-simulations';
import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/page/notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatCount, formatShare, sharedDecimals } from '../../../lib/format/format.ts';
import { startUploads } from '../../data/files/index.ts';
import { useMayWrite } from '../../people/projects/index.ts';
import { crossingTableOf } from './crossing-table-of.ts';

/** The crosses with their figures; several can be kept as a crossing table. */
export function CrossTable(props: {
  projectId: string;
  simulation: CrossingSimulationDetail;
  trait: string;
  other: string | undefined;
  selection: Selection;
  crosses: CrossRow[];
  chosen: CrossRow | undefined;
  onChoose: (place: number) => void;
}) {
  const { projectId, simulation, trait, crosses, chosen, onChoose } = props;
  const { t } = useTranslation();
  const mayWrite = useMayWrite(projectId);
  const [saved, setSaved] = useState<string>();
  const save = (rows: readonly CrossRow[], clear: () => void): void => {
    const name = t('crossing_simulations.tableName', { name: simulation.name });
    const file = new File([crossingTableOf(rows)], name, { type: 'text/csv' });
    startUploads([{ projectId, folderId: null, fileType: 'CROSSING_TABLE', name, file }]);
    setSaved(name);
    clear();
  };
  return (
    <Section title={t('crossing_simulations.results')} note={t('crossing_simulations.resultsNote')}>
      {saved !== undefined && <Notice kind="success">{t('crossing_simulations.saved', { name: saved })}</Notice>}
      <DataTable
        id="crosses"
        label={t('crossing_simulations.results')}
        columns={useColumns(props)}
        rows={crosses}
        rowId={rowId}
        defaultSort={{ column: 'usefulness', descending: !props.selection.isLow }}
        onOpen={(row) => onChoose(row.place)}
        isMarked={(row) => row.place === chosen?.place}
        csvName={`${simulation.name} ${trait} crosses`}
        bulkActions={
          mayWrite
            ? (rows, clear) => (
                <Button size="compact-xs" variant="default" onClick={() => save(rows, clear)}>
                  {t('crossing_simulations.saveAsTable')}
                </Button>
              )
            : undefined
        }
        maxHeight="34rem"
      />
    </Section>
  );
}

const rowId = (row: CrossRow): string => String(row.place);

function useColumns({
  crosses,
  other,
  selection,
}: {
  crosses: readonly CrossRow[];
  other: string | undefined;
  selection: Selection;
}): DataColumn<CrossRow>[] {
  const { t } = useTranslation();
  const population = useOptionText('crossing_simulations', CROSSING_OPTIONS)('population', 'label');
  return useMemo(() => {
    const figure = (
      id: string,
      header: string,
      value: (row: CrossRow) => number | null,
      more: Partial<DataColumn<CrossRow>> = {},
    ): DataColumn<CrossRow> => {
      const decimals = sharedDecimals(crosses.map(value));
      return {
        id,
        header,
        value,
        cell: (row) => <NumberCell value={value(row)} decimals={decimals} />,
        numeric: true,
        width: 118,
        ...more,
      };
    };
    const has = (column: 'parent3' | 'parent4' | 'sim_mean') => crosses.some((row) => row[column] !== null);
    const hasPopulations = new Set(crosses.map(({ population }) => population)).size > 1;
    return [
      { id: 'cross', header: t('crossing_simulations.crossesHead'), value: (row) => row.cross },
      figure('usefulness', t('crossing_simulations.usefulness'), (row) => usefulnessOf(row, selection), {
        hint: t('crossing_simulations.usefulnessHint', { sign: selection.isLow ? '−' : '+' }),
        narrow: true,
      }),
      figure('mean', t('crossing_simulations.mean'), (row) => row.mean),
      figure('sd', t('crossing_simulations.sd'), (row) => row.sd, { hint: t('crossing_simulations.sdHint') }),
      {
        id: 'p_transgress',
        header: t('crossing_simulations.pTransgress'),
        hint: t('crossing_simulations.pTransgressHint'),
        value: (row) => row.p_transgress,
        cell: (row) => <span className="hx-tabular">{formatShare(row.p_transgress)}</span>,
        numeric: true,
        width: 140,
      },
      figure('expected_best', t('crossing_simulations.expectedBest'), (row) => row.expected_best, {
        hint: t('crossing_simulations.expectedBestHint'),
      }),
      ...(other === undefined
        ? []
        : [
            figure(
              'correlation',
              t('crossing_simulations.correlation', { trait: other }),
              (row) => row.correlation ?? Number.NaN,
              { width: 128 },
            ),
          ]),
      { id: 'parent1', header: t('crossing_simulations.female'), value: (row) => row.parent1, width: 130 },
      { id: 'parent2', header: t('crossing_simulations.male'), value: (row) => row.parent2, width: 130 },
      ...(['parent3', 'parent4'] as const).filter(has).map(
        (parent): DataColumn<CrossRow> => ({
          id: parent,
          header: t(`crossing_simulations.${parent}`),
          value: (row) => row[parent],
          width: 110,
        }),
      ),
      figure('kinship', t('crossing_simulations.kinship'), (row) => row.kinship, {
        hint: t('crossing_simulations.kinshipHint'),
        hidden: true,
      }),
      {
        id: 'segregating_markers',
        header: t('crossing_simulations.segregating'),
        hint: t('crossing_simulations.segregatingHint'),
        value: (row) => row.segregating_markers,
        cell: (row) => <span className="hx-tabular">{formatCount(row.segregating_markers)}</span>,
        numeric: true,
        width: 170,
        hidden: true,
      },
      {
        id: 'population',
        header: population,
        value: (row) => row.population,
        width: 140,
        hidden: !hasPopulations,
      },
      ...(has('sim_mean')
        ? [
            figure('sim_mean', t('crossing_simulations.simMean'), (row) => row.sim_mean, { hidden: true, width: 140 }),
            figure('sim_sd', t('crossing_simulations.simSd'), (row) => row.sim_sd, { hidden: true, width: 130 }),
          ]
        : []),
    ];
  }, [crosses, other, selection, population, t]);
}
