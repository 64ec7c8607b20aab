import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadText } from '../../lib/browser/download.ts';
import { toCsv } from '../../lib/format/csv.ts';
import { formatCount } from '../../lib/format/format.ts';
import classes from './data-table.module.css';
import type { PageSelection } from './use-selection.ts';

/** What can be done with the lines or markers that are selected on a page. Nothing while none are. */
export function SelectionBar(props: {
  selection: PageSelection;
  /** What one of them is called at the head of the exported list. */
  noun: string;
  fileName: string;
  children?: ReactNode;
}) {
  const { selection, noun, fileName, children } = props;
  const { t } = useTranslation();
  const names = [...selection.ids];
  if (names.length === 0) return null;
  return (
    <div className={classes.bulk} role="status">
      <span>{t('selection.count', { count: names.length, formatted: formatCount(names.length) })}</span>
      {children}
      <Button
        size="compact-xs"
        variant="default"
        onClick={() =>
          downloadText(
            `${fileName} selected.csv`,
            toCsv(
              [noun],
              names.map((name) => [name]),
            ),
          )
        }
      >
        {t('selection.export')}
      </Button>
      <Button size="compact-xs" variant="subtle" onClick={() => selection.select([])}>
        {t('table.clearChosen')}
      </Button>
    </div>
  );
}
