import type { PedigreeIndividual } from '@heterosis/contracts/data/pedigree';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import type { Kin } from './graph/kin.ts';
import type { Selection } from './selection.ts';

type Row = PedigreeIndividual & { place: number };

/** The individuals that the graph shows, and those without relatives; a row leads to its box. */
export function IndividualTable(props: {
  kin: Kin;
  selection: Selection;
  /** Those without relatives, which no graph shows: listed below the others. */
  alone: readonly number[];
  name: string;
  onChoose: (individual: number) => void;
}) {
  const { kin, selection, alone } = props;
  const { t } = useTranslation();
  const rows = useMemo(
    () =>
      [...selection.shown, ...alone].flatMap((place): Row[] => {
        const one = kin.individuals[place];
        return one === undefined ? [] : [{ ...one, place }];
      }),
    [kin, selection.shown, alone],
  );
  const nameOf = (i: number | null): string | null => (i === null ? null : (kin.individuals[i]?.name ?? null));
  const columns: DataColumn<Row>[] = [
    { id: 'name', header: t('word.individual'), value: (row) => row.name, minWidth: 120 },
    { id: 'female', header: t('word.female'), value: (row) => nameOf(row.maternal) },
    { id: 'male', header: t('word.male'), value: (row) => nameOf(row.paternal) },
    {
      id: 'inbreeding',
      header: 'F',
      value: (row) => row.inbreeding,
      cell: (row) => <NumberCell value={row.inbreeding} decimals={3} />,
      numeric: true,
      narrow: true,
      width: 70,
      hint: t('word.inbreedingF'),
    },
    {
      id: 'generation',
      header: t('word.generation'),
      value: (row) => row.generation,
      cell: (row) => <NumberCell value={row.generation} kind="count" />,
      numeric: true,
      hidden: true,
    },
    { id: 'collection', header: t('word.collection'), value: (row) => row.collection, hidden: true },
  ];
  const chosen = new Set(selection.chosen);
  return (
    <DataTable
      id="pedigree"
      label={t('pedigree.table')}
      columns={columns}
      rows={rows}
      rowId={(row) => row.id}
      onOpen={(row) => props.onChoose(row.place)}
      isMarked={(row) => chosen.has(row.place)}
      defaultSort={{ column: 'name', descending: false }}
      csvName={`${props.name} inbreeding`}
      maxHeight="26rem"
    />
  );
}
