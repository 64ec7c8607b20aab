import type { GebvRow, ModelDetail } from '@heterosis/contracts/work/models';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../../components/table/data-table.tsx';
import { SelectionBar } from '../../../components/table/selection-bar.tsx';
import { useEndlessTable } from '../../../components/table/use-endless-table.ts';
import type { PageSelection } from '../../../components/table/use-selection.ts';
import { CrossBestDialog, fileQuery, useUnitOf } from '../../data/files/index.ts';
import { KeepAsList } from '../../data/lists/index.ts';
import { useMayWrite, useTraitSettings } from '../../people/projects/index.ts';
import { TraitSelect, useTraitInAddress } from '../runs/index.ts';
import { hasFixedEffects } from './fixed-effects-tab.tsx';
import { gebvColumns } from './gebv-columns.tsx';
import { bestByGebv, gebvQuery } from './models.api.ts';

interface GebvTabProps {
  projectId: string;
  model: ModelDetail;
  traits: string[];
  selection: PageSelection;
}

export function GebvTab(props: GebvTabProps) {
  const { trait, choose } = useTraitInAddress(props.traits);
  const settings = useTraitSettings(props.projectId);
  return (
    <>
      <TraitSelect traits={props.traits} value={trait} onChange={choose} />
      {/* The first order is that of what is wanted. */}
      {settings && <Ranking key={trait} {...props} trait={trait} isLow={settings(trait).direction === 'lower'} />}
    </>
  );
}

/** Rank 1 is the best, which is the lowest value where low values are better. */
function Ranking(props: Omit<GebvTabProps, 'traits'> & { trait: string; isLow: boolean }) {
  const { projectId, model, selection, trait, isLow } = props;
  const { t } = useTranslation();
  const mayWrite = useMayWrite(projectId);
  const [crossing, setCrossing] = useState<string[]>();
  const { table, first, search } = useEndlessTable({
    defaultSort: { column: 'gebv', descending: !isLow },
    query: ({ search: text, sort }) =>
      gebvQuery(projectId, model.id, {
        trait,
        search: text,
        sort: sort?.column === 'individual' ? 'individual' : sort?.descending ? '-gebv' : 'gebv',
      }),
  });
  const panel = useQuery({
    ...fileQuery(projectId, model.genotype?.id ?? ''),
    enabled: model.genotype !== null,
  });
  const unit = useUnitOf(projectId, model.phenotype)(trait);
  const count = panel.data?.row_count ?? undefined;
  const rankOf = (row: GebvRow): number | undefined =>
    isLow ? (count === undefined ? undefined : count + 1 - row.rank) : row.rank;
  return (
    <>
      <p className="hx-muted">
        {t(isLow ? 'models.gebvNoteLow' : 'models.gebvNote')}
        {hasFixedEffects(model, trait) && ` ${t('models.gebvFixedNote')}`}
      </p>
      <SelectionBar selection={selection} noun="individual" fileName={model.name}>
        <KeepAsList projectId={projectId} kind="germplasm" names={selection.ids} />
        {mayWrite && (
          <Button size="compact-xs" variant="default" onClick={() => setCrossing([...selection.ids])}>
            {t('crossBest.openChosen')}
          </Button>
        )}
      </SelectionBar>
      <DataTable
        id="gebv"
        searchLabel={t('models.searchIndividuals')}
        label={t('models.gebv')}
        columns={gebvColumns(first?.data ?? [], rankOf, unit, t)}
        {...table}
        rowId={(row) => row.individual}
        total={search === '' ? count : undefined}
        selection={selection}
        csvName={`${model.name} ${trait} GEBV`}
        csvUrl={search ? undefined : (model.gebv_csv_urls[trait] ?? undefined)}
        maxHeight="32rem"
      />
      {mayWrite && (
        <Button size="xs" style={{ alignSelf: 'flex-start' }} onClick={() => setCrossing([])}>
          {t('crossBest.open')}
        </Button>
      )}
      {crossing && (
        <CrossBestDialog
          projectId={projectId}
          source={{
            name: model.name,
            chosen: crossing,
            rankings: [{ id: trait, label: isLow ? t('word.lowerIsBetter', { trait }) : trait }],
            readBest: (_, wanted) =>
              bestByGebv(projectId, model.id, { trait, sort: isLow ? 'gebv' : '-gebv', count: wanted }),
            modelId: model.id,
            genotypeId: model.genotype?.id,
          }}
          onClose={() => setCrossing(undefined)}
        />
      )}
    </>
  );
}
