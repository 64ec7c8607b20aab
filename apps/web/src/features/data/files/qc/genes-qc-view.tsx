import type { FileQc } from '@heterosis/contracts/data/files-qc';
import { useTranslation } from 'react-i18next';
import { FactsStrip } from '../../../../components/page/facts-strip.tsx';
import { Section } from '../../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../../components/table/data-table.tsx';
import { NumberCell } from '../../../../components/table/number-cell.tsx';
import { formatCount, formatMb } from '../../../../lib/format/format.ts';

type GenesQc = Extract<FileQc, { kind: 'genes' }>;

/** A gene annotation: how many genes each chromosome has. */
export function GenesQcView({ qc }: { qc: GenesQc }) {
  const { t } = useTranslation();
  const columns: DataColumn<GenesQc['chromosomes'][number]>[] = [
    { id: 'name', header: t('word.chromosome'), value: (row) => row.name },
    {
      id: 'genes',
      header: t('word.genes'),
      value: (row) => row.genes,
      cell: (row) => <NumberCell value={row.genes} kind="count" />,
      numeric: true,
      narrow: true,
    },
    {
      id: 'length',
      header: t('files.genes.lastGene'),
      unit: 'Mb',
      value: (row) => row.length_bp / 1e6,
      cell: (row) => formatMb(row.length_bp),
      numeric: true,
    },
  ];
  return (
    <Section title={t('word.genes')}>
      <FactsStrip
        facts={[
          { label: t('word.genes'), value: formatCount(qc.genes) },
          { label: t('files.genes.named'), value: formatCount(qc.named) },
          { label: t('files.map.chromosomes'), value: formatCount(qc.chromosomes.length) },
        ]}
      />
      <DataTable
        id="gene-chromosomes"
        label={t('files.genes.perChromosome')}
        columns={columns}
        rows={qc.chromosomes}
        hasSearch={false}
        rowId={(row) => row.name}
      />
    </Section>
  );
}
