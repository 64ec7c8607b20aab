import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../page/notice.tsx';
import type { DataColumn } from '../data-table-model.ts';
import type { SavedViews } from './use-saved-view.ts';
import { goneFrom } from './view-content.ts';

/** Says where a table cannot show what its saved view wants. */
export function ViewNotices<Row>(props: {
  saved: SavedViews;
  columns: readonly DataColumn<Row>[];
  /** Columns may come with the rows. */
  isLoading: boolean;
}) {
  const { saved, columns, isLoading } = props;
  const { view, isMissing, show } = saved;
  const { t } = useTranslation();
  const gone = view && !isLoading ? goneFrom(view.content, columns) : [];
  if (!isMissing && gone.length === 0) return null;
  return (
    <Notice kind="warning">
      {view
        ? t('tableViews.gone', { name: view.name, count: gone.length, columns: gone.join(', ') })
        : t('tableViews.missing')}{' '}
      <Button size="compact-xs" variant="subtle" onClick={() => show(undefined)}>
        {t('tableViews.standard')}
      </Button>
    </Notice>
  );
}
