import { ActionIcon, Checkbox, Popover } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../form/icon-button.tsx';
import { IconColumns3, IconGripVertical } from '../icons.tsx';
import classes from './data-table.module.css';
import type { ColumnChoice, DataColumn } from './data-table-model.ts';

export interface ArrangedColumn<Row> {
  column: DataColumn<Row>;
  isShown: boolean;
}

/** Which columns are shown, and in which order: dragged by their handles, or moved by the arrow keys on them. */
export function ColumnChooser<Row>(props: {
  arranged: readonly ArrangedColumn<Row>[];
  onArrange: (choice: ColumnChoice) => void;
}) {
  const { arranged, onArrange } = props;
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const [moving, setMoving] = useState<string>();
  const ids = arranged.map(({ column }) => column.id);
  const shown = Object.fromEntries(arranged.map(({ column, isShown }) => [column.id, isShown]));
  const show = (id: string, isShown: boolean): void => onArrange({ shown: { ...shown, [id]: isShown }, order: ids });
  // The first column says what a row is: it stays where it is.
  const move = (id: string, to: number): void => {
    const place = Math.min(Math.max(to, 1), ids.length - 1);
    if (place === ids.indexOf(id)) return;
    onArrange({ shown, order: ids.filter((one) => one !== id).toSpliced(place, 0, id) });
  };
  const handleKeyDown = (id: string) => (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    move(id, ids.indexOf(id) + step);
  };
  const handlePointerMove = (id: string) => (event: PointerEvent) => {
    if (moving !== id || list.current === null) return;
    const above = [...list.current.children].filter((row) => {
      const { top, height } = row.getBoundingClientRect();
      return top + height / 2 < event.clientY;
    });
    move(id, above.length - Number(above.some((row) => row.getAttribute('data-column') === id)));
  };
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <IconButton label={t('table.columns')}>
          <IconColumns3 size={18} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown>
        <div ref={list} className={classes.columnChoice} role="group" aria-label={t('table.columns')}>
          {arranged.map(({ column, isShown }, index) => (
            <div
              key={column.id}
              className={classes.columnRow ?? ''}
              data-column={column.id}
              data-moving={moving === column.id || undefined}
            >
              <Checkbox
                size="xs"
                label={column.header}
                disabled={index === 0}
                checked={isShown}
                onChange={(event) => show(column.id, event.currentTarget.checked)}
              />
              {index > 0 && (
                <ActionIcon
                  size="xs"
                  aria-label={t('table.moveColumn', { name: column.header })}
                  title={t('table.moveColumn', { name: column.header })}
                  className={classes.columnHandle ?? ''}
                  onKeyDown={handleKeyDown(column.id)}
                  onPointerDown={(event) => {
                    event.currentTarget.setPointerCapture(event.pointerId);
                    setMoving(column.id);
                  }}
                  onPointerMove={handlePointerMove(column.id)}
                  onPointerUp={() => setMoving(undefined)}
                  onPointerCancel={() => setMoving(undefined)}
                >
                  <IconGripVertical size={14} />
                </ActionIcon>
              )}
            </div>
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
