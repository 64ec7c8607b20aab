import type { KeyboardEvent } from 'react';
import type { TableItem } from './data-table-model.ts';

/** The item to which a key leads from that at `here`: rows only, groups are passed over. */
export function itemAfterKey(
  key: string,
  here: number,
  items: readonly Pick<TableItem<unknown>, 'kind'>[],
): number | undefined {
  let next: number;
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    const step = key === 'ArrowDown' ? 1 : -1;
    next = here + step;
    while (items[next]?.kind === 'group') next += step;
  } else if (key === 'Home') next = items.findIndex((item) => item.kind === 'row');
  else if (key === 'End') next = items.length - 1;
  else return undefined;
  return items[next]?.kind === 'row' ? next : undefined;
}

/** From row to row with the arrow keys, to the first and the last with Home and End, as soon as one has the focus. */
export const rowKeyHandler =
  <Row>(items: readonly TableItem<Row>[], bringIntoSight: (index: number) => void) =>
  (event: KeyboardEvent<HTMLTableSectionElement>): void => {
    const target = event.target as HTMLElement;
    if (!target.hasAttribute('data-row-opener')) return;
    const body = event.currentTarget;
    const next = itemAfterKey(event.key, Number(target.closest('tr')?.dataset.index), items);
    if (next === undefined) return;
    event.preventDefault();
    bringIntoSight(next);
    // The row may have to be drawn first.
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        body.querySelector<HTMLElement>(`tr[data-index="${next}"] [data-row-opener]`)?.focus(),
      ),
    );
  };
