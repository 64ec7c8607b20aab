import type { CrossingSimulationDetail, CrossRow, ProgenyList } from '@heterosis/contracts/work/crossing-simulations';
import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { sharedDecimals } from '../../../lib/format/format.ts';
import { progenyQuery } from './crossing-simulations.api.ts';

type Progeny = ProgenyList['data'][number];

/** The best simulated progeny by the trait, of all crosses or of the chosen one. */
export function BestProgeny(props: {
  projectId: string;
  simulation: CrossingSimulationDetail;
  trait: string;
  /** The cross that was chosen, if one was. */
  cross: CrossRow | undefined;
}) {
  const { projectId, simulation, trait, cross } = props;
  const { t } = useTranslation();
  const [isOfAll, setOfAll] = useState(false);
  const only = isOfAll ? undefined : cross;
  const query = useQuery(progenyQuery(projectId, simulation.id, trait, only?.place));
  const columns = useMemo(
    (): DataColumn<Progeny>[] => [
      { id: 'id', header: t('crossing_simulations.progenyId'), value: (row) => row.id },
      { id: 'cross', header: t('crossing_simulations.crossesHead'), value: (row) => row.cross },
      ...(query.data?.traits ?? simulation.traits).map((name, index): DataColumn<Progeny> => {
        const decimals = sharedDecimals(query.data?.data.map(({ values }) => values[index]) ?? []);
        return {
          id: `value ${name}`,
          header: name,
          value: (row) => row.values[index],
          cell: (row) => <NumberCell value={row.values[index]} decimals={decimals} />,
          numeric: true,
          width: 100,
          narrow: name === trait,
        };
      }),
    ],
    [query.data, simulation.traits, trait, t],
  );
  return (
    <Section
      title={t('crossing_simulations.top')}
      note={
        only
          ? t('crossing_simulations.topNoteOf', { trait, cross: only.cross })
          : t('crossing_simulations.topNote', { trait })
      }
      action={
        cross && (
          <Switch
            size="xs"
            label={t('crossing_simulations.topOfAll')}
            checked={isOfAll}
            onChange={(event) => setOfAll(event.currentTarget.checked)}
          />
        )
      }
    >
      <DataTable
        id="best-progeny"
        label={t('crossing_simulations.top')}
        columns={columns}
        rows={query.data?.data}
        rowId={(row) => row.id}
        isLoading={query.isPending}
        error={query.error}
        onRetry={() => void query.refetch()}
        csvName={`${simulation.name} best progeny`}
        maxHeight="24rem"
      />
    </Section>
  );
}
