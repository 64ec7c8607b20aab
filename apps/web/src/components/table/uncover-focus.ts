import type { FocusEvent } from 'react';

/** Between a control with the focus and a column that stays. */
const GAP_PX = 8;

/**
 * Scrolls a table sideways until the control that has taken the focus comes out from beneath the columns that stay. The
 * browser leaves it there: it counts what is covered as seen.
 */
export function uncoverFocus({ target, currentTarget: table }: FocusEvent<HTMLElement>): void {
  const cell = target.closest('td, th');
  if (!cell) return;
  const control = target.getBoundingClientRect();
  const { firstElementChild: first, lastElementChild: last } = cell.parentElement ?? cell;
  const stays = (other: Element | null): other is Element =>
    other !== null && other !== cell && getComputedStyle(other).position === 'sticky';
  if (stays(first)) table.scrollLeft -= Math.max(0, first.getBoundingClientRect().right + GAP_PX - control.left);
  if (stays(last)) table.scrollLeft += Math.max(0, control.right + GAP_PX - last.getBoundingClientRect().left);
}
