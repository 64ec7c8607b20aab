import { type ColumnRole, columnRole, type FirstRows, type MappedTable } from '@heterosis/contracts/data/table-mapping';
import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type MappedColumn, rolesFor } from './column-mapping.ts';
import classes from './map-columns-modal.module.css';

const SHOWN_ROWS = 8;

/** The first rows of a table, with a choice of what it holds above each column. */
export function ColumnTable(props: {
  first: FirstRows;
  fileType: MappedTable;
  columns: readonly MappedColumn[];
  onRole: (name: string, role: ColumnRole) => void;
}) {
  const { first, fileType, columns, onRole } = props;
  const { t } = useTranslation();
  const roles = rolesFor(fileType).map((value) => ({ value, label: t(`files.mapping.role.${value}`) }));
  const above = first.rows.filter(({ line }) => line < first.header_line).slice(-3);
  const data = first.rows.filter(({ line }) => line > first.header_line).slice(0, SHOWN_ROWS);
  const cellsOf = ({ cells }: FirstRows['rows'][number]) =>
    columns.map((_, index) => <td key={index}>{cells[index]}</td>);
  return (
    // Focusable, so that the keyboard can scroll it.
    <div className={classes.scroll} role="group" aria-label={t('files.mapping.preview')} tabIndex={0}>
      <table className={classes.table} aria-label={t('files.mapping.preview')}>
        <thead>
          {above.map((row) => (
            <tr key={row.line} className={classes.above}>
              <th scope="row">{row.line}</th>
              {cellsOf(row)}
            </tr>
          ))}
          <tr>
            <th scope="col">{first.header_line > 0 ? first.header_line : t('files.mapping.line')}</th>
            {columns.map(({ name }, index) => (
              <th scope="col" key={index}>
                {name || t('files.mapping.unnamed')}
              </th>
            ))}
          </tr>
          <tr>
            <th scope="row">{t('files.mapping.holds')}</th>
            {columns.map(({ name, role }, index) => (
              <td key={index} data-role={role}>
                <NativeSelect
                  size="xs"
                  aria-label={t('files.mapping.roleOf', { column: name || t('files.mapping.unnamed') })}
                  data={roles}
                  value={role}
                  disabled={name === ''}
                  onChange={(event) => onRole(name, columnRole.parse(event.currentTarget.value))}
                />
              </td>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.map((row) => (
            <tr key={row.line}>
              <th scope="row">{row.line}</th>
              {cellsOf(row)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
