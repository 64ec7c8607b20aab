import type {
  GermplasmUpload,
  GermplasmUploadRow,
  UpdateGermplasmUploadBody,
} from '@heterosis/contracts/data/germplasm-uploads';
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../../components/form/icon-button.tsx';
import { IconTrash } from '../../../../components/icons.tsx';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import type { Place } from '../../../../lib/browser/place.ts';
import { formatCount } from '../../../../lib/format/format.ts';
import { type RowsShown, uploadRowsQuery } from '../germplasm.api.ts';
import classes from './review.module.css';

type Edit = Omit<NonNullable<UpdateGermplasmUploadBody['rows']>[number], 'line'>;

const SHOWN: readonly RowsShown[] = ['all', 'error', 'warning', 'create', 'change', 'same', 'conflict'];
/** Fields that are mended in place. */
const FIELDS = ['name', 'collection', 'maternal', 'paternal', 'synonyms'] as const;
type Field = (typeof FIELDS)[number];

const textOf = (row: GermplasmUploadRow, field: Field): string =>
  field === 'synonyms' ? row.synonyms.join('; ') : (row[field] ?? '');

const valueOf = (field: Field, text: string): Edit =>
  field === 'synonyms'
    ? {
        synonyms: text
          .split(/[;|]/)
          .map((one) => one.trim())
          .filter(Boolean),
      }
    : field === 'name'
      ? { name: text }
      : { [field]: text.trim() === '' ? null : text };

/** Marks the cell that a problem is about, and leads to what is below it. */
function faultOf(column: string | undefined, problems: GermplasmUpload['problems'], notesId: string) {
  const found = problems.filter((problem) => column !== undefined && problem.column === column);
  if (found.length === 0) return {};
  const isError = found.some(({ severity }) => severity === 'error');
  return { 'aria-invalid': isError, 'aria-describedby': notesId, 'data-severity': isError ? 'error' : 'warning' };
}

/** The rows of an upload. Changes are collected, and sent together for the next check. */
export function ReviewRows(props: {
  place: Place;
  upload: GermplasmUpload;
  isBusy: boolean;
  onSend: (body: UpdateGermplasmUploadBody) => Promise<unknown>;
}) {
  const { t } = useTranslation();
  const { place, upload, isBusy, onSend } = props;
  const [show, setShow] = useState<RowsShown>(upload.totals.errors > 0 ? 'error' : 'all');
  const [edits, setEdits] = useState<ReadonlyMap<number, Edit>>(new Map());
  const [removed, setRemoved] = useState<ReadonlySet<number>>(new Set());
  const list = useInfiniteQuery({
    ...uploadRowsQuery(place, upload.id, show, upload.updated_at),
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.pages.flatMap((page) => page.data);
  const count = new Set([...edits.keys(), ...removed]).size;
  const edit = (line: number, change: Edit): void =>
    setEdits((before) => new Map(before).set(line, { ...before.get(line), ...change }));
  const toggle = (line: number): void =>
    setRemoved((before) => {
      const after = new Set(before);
      if (!after.delete(line)) after.add(line);
      return after;
    });
  const send = async (): Promise<void> => {
    await onSend({
      rows: [...edits].flatMap(([line, change]) => (removed.has(line) ? [] : [{ line, ...change }])),
      ...(removed.size > 0 ? { removed_lines: [...removed] } : {}),
    });
    setEdits(new Map());
    setRemoved(new Set());
  };
  return (
    <section className={classes.rows} aria-label={t('germplasm.review.rows')} aria-busy={isBusy}>
      <div className={classes.tools}>
        <NativeSelect
          size="xs"
          aria-label={t('germplasm.review.show')}
          value={show}
          onChange={(event) => setShow(event.currentTarget.value as RowsShown)}
          data={SHOWN.map((value) => ({ value, label: t(`germplasm.review.shown.${value}`) }))}
        />
        <span className="hx-muted" role="status">
          {isBusy ? t('germplasm.review.checking') : rows && t('germplasm.review.listed', { count: rows.length })}
        </span>
        {count > 0 && (
          <Button size="xs" loading={isBusy} onClick={() => void send()}>
            {t('germplasm.review.checkAgain', { count })}
          </Button>
        )}
      </div>
      {list.error && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {rows === undefined ? (
        <SkeletonLines lines={5} />
      ) : rows.length === 0 ? (
        <p className="hx-muted">{t('germplasm.review.noRows')}</p>
      ) : (
        <div className={classes.scroll} tabIndex={0} role="group" aria-label={t('germplasm.review.rows')}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t('germplasm.review.line')}</th>
                {FIELDS.map((field) => (
                  <th key={field} scope="col">
                    {field === 'name' ? t('column.name') : t(`germplasm.${field}`)}
                  </th>
                ))}
                <th scope="col">{t('germplasm.review.becomes')}</th>
                <th scope="col">
                  <span className="hx-visually-hidden">{t('germplasm.review.leaveOut')}</span>
                </th>
              </tr>
            </thead>
            {rows.map((row) => (
              <ReviewRow
                key={`${row.line} ${upload.updated_at}`}
                row={row}
                problems={upload.problems.filter(({ line }) => line === row.line)}
                columns={upload.columns}
                edit={edits.get(row.line)}
                isRemoved={removed.has(row.line)}
                onEdit={(change) => edit(row.line, change)}
                onRemove={() => toggle(row.line)}
              />
            ))}
          </table>
        </div>
      )}
      {list.hasNextPage && (
        <Button variant="default" size="xs" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('germplasm.review.moreRows')}
        </Button>
      )}
    </section>
  );
}

function ReviewRow(props: {
  row: GermplasmUploadRow;
  problems: GermplasmUpload['problems'];
  columns: GermplasmUpload['columns'];
  edit: Edit | undefined;
  isRemoved: boolean;
  onEdit: (change: Edit) => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation();
  const { row, problems, columns, edit, isRemoved, onEdit, onRemove } = props;
  const notesId = useId();
  const isAlike = problems.some(({ code }) => code === 'W-GP-NEAR-DUP') || row.is_distinct;
  const conflicts = row.changes.filter(({ from }) => from !== null);
  return (
    <tbody data-severity={row.severity ?? 'none'} data-removed={isRemoved}>
      <tr>
        <td className={classes.line} data-label={t('germplasm.review.line')}>
          {formatCount(row.line)}
        </td>
        {FIELDS.map((field) => (
          <td key={field} data-label={field === 'name' ? t('column.name') : t(`germplasm.${field}`)}>
            <TextInput
              size="xs"
              variant="unstyled"
              classNames={{ input: classes.input ?? '' }}
              {...faultOf(columns[field], problems, notesId)}
              aria-label={t('germplasm.review.cell', {
                field: field === 'name' ? t('column.name') : t(`germplasm.${field}`),
                line: row.line,
              })}
              defaultValue={textOf(row, field)}
              disabled={isRemoved}
              onChange={(event) => onEdit(valueOf(field, event.currentTarget.value))}
            />
          </td>
        ))}
        <td className={classes.becomes} data-label={t('germplasm.review.becomes')}>
          {isRemoved ? t('germplasm.review.leftOut') : t(`germplasm.review.action.${row.action}`)}
          {row.target !== null && row.target !== row.name && ` (${row.target})`}
          {(edit !== undefined || row.is_edited) && (
            <span className={classes.edited}>{t('germplasm.review.edited')}</span>
          )}
        </td>
        <td className={classes.leave}>
          <IconButton
            variant="subtle"
            color="gray"
            label={t(isRemoved ? 'germplasm.review.takeBack' : 'germplasm.review.leaveOutLine', { line: row.line })}
            aria-pressed={isRemoved}
            onClick={onRemove}
          >
            <IconTrash size={16} />
          </IconButton>
        </td>
      </tr>
      {(problems.length > 0 || conflicts.length > 0 || isAlike) && (
        <tr className={classes.notes}>
          <td />
          <td colSpan={FIELDS.length + 2}>
            <ul className={classes.problems} id={notesId}>
              {problems.map((problem) => (
                <li key={`${problem.code} ${problem.message}`} data-severity={problem.severity}>
                  {problem.message} {problem.suggestion} <code>{problem.code}</code>
                </li>
              ))}
              {conflicts.map(({ field, from, to }) => (
                <li key={field} data-severity="change">
                  {t(row.action === 'change' ? 'germplasm.review.changes' : 'germplasm.review.differs', {
                    field,
                    from,
                    to,
                  })}
                </li>
              ))}
            </ul>
            {isAlike && (
              <Checkbox
                size="xs"
                label={t('germplasm.reallyDifferent')}
                defaultChecked={row.is_distinct}
                onChange={(event) => onEdit({ is_distinct: event.currentTarget.checked })}
              />
            )}
          </td>
        </tr>
      )}
    </tbody>
  );
}
