import type { Germplasm } from '@heterosis/contracts/data/germplasm';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { DataColumn } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import type { Place } from '../../../lib/browser/place.ts';
import { germplasmLink } from './germplasm.api.ts';

/** Columns of a list of germplasm; the server sorts by four of them. */
export function germplasmColumns(
  t: TFunction,
  place: Place,
  { withCrop }: { withCrop: boolean },
): DataColumn<Germplasm>[] {
  const parent = (role: 'maternal' | 'paternal'): DataColumn<Germplasm> => ({
    id: role,
    header: t(`germplasm.${role}`),
    value: (row) => row[role]?.name,
    cell: (row) => {
      const found = row[role];
      return found === null ? (
        <span className="hx-muted">–</span>
      ) : (
        <Link
          {...(germplasmLink(place, found.id) as LinkProps)}
          className="hx-link"
          onClick={(event) => event.stopPropagation()}
        >
          {found.name}
        </Link>
      );
    },
    sortable: false,
  });
  return [
    { id: 'name', header: t('column.name'), value: (row) => row.name },
    {
      id: 'synonyms',
      header: t('germplasm.synonyms'),
      value: (row) => row.synonyms.map(({ name }) => name).join('; '),
      sortable: false,
    },
    { id: 'collection', header: t('germplasm.collection'), value: (row) => row.collection, narrow: true },
    parent('maternal'),
    parent('paternal'),
    {
      id: 'cross_type',
      header: t('germplasm.crossType'),
      value: (row) => (row.cross_type === null ? null : t(`germplasm.cross.${row.cross_type}`)),
      sortable: false,
      hidden: true,
    },
    {
      id: 'selfing_generations',
      header: t('germplasm.selfings'),
      value: (row) => row.selfing_generations,
      numeric: true,
      sortable: false,
      hidden: true,
    },
    ...(withCrop
      ? [{ id: 'crop', header: t('column.crop'), value: (row: Germplasm) => row.crop.name, sortable: false }]
      : []),
    {
      id: 'attributes',
      header: t('germplasm.attributes'),
      value: (row) =>
        Object.entries(row.attributes)
          .map(([name, value]) => `${name}: ${value}`)
          .join('; '),
      sortable: false,
      hidden: true,
    },
    {
      id: 'created_at',
      header: t('column.created'),
      value: (row) => row.created_at,
      cell: (row) => <RelativeTime date={row.created_at} />,
      width: 120,
    },
  ];
}
